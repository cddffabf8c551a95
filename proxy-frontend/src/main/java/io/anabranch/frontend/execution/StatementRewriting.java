package io.anabranch.frontend.execution;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.rule.RuleCount;
import io.anabranch.frontend.rule.SessionRules;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.RuleMask;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.plan.PlanRules;
import java.util.List;

/**
 * Puts another text in the place of the client's where rules say so, once for each statement and
 * before it is planned: {@code SELECT * FROM orders_2024} becomes {@code SELECT * FROM orders WHERE
 * year = 2024}. On the session's event loop.
 */
public final class StatementRewriting {

  private final Session session;
  private final CurrentStatement statement;
  private final SessionRules own;

  private boolean isDone;

  /**
   * @param own the rules that concern the session
   */
  public StatementRewriting(Session session, CurrentStatement statement, SessionRules own) {
    this.session = session;
    this.statement = statement;
    this.own = own;
  }

  /**
   * Whether the statement has another text now, which may be answered by somebody else.
   *
   * @throws RefusedException RULE_REWRITES if what came out is no statement in its place
   */
  boolean rewrites() {
    List<QueryRule> rules = session.deployment().rules().protection().rules();
    if (isDone || rules.isEmpty() || statement.command().listed() != null) {
      return false;
    }
    isDone = true;
    RuleMask mine = own.rewriting(rules, session.user().name(), session.clientHost());
    Scan scan = statement.scan();
    if (mine.isEmpty() || scan.end() - scan.start() > StatementRules.SEARCHED_BYTES) {
      return false;
    }
    PlanRules met = StatementRules.matching(session, statement, scan.copyNormalForm()).of(rules);
    String written = statement.source().text();
    String text = written;
    boolean goesOn = true;
    for (int at = met.rules().next(mine, 0);
        goesOn && at >= 0;
        at = met.rules().next(mine, at + 1)) {
      QueryRule rule = rules.get(at);
      TextPattern pattern = rule.matching().pattern();
      String by = rule.actions().rewrite();
      if (pattern != null && by != null && pattern.isIn(text)) {
        meets(rule, own.count(at), met.digest());
        if (!rule.logOnly()) {
          text = checked(rule, pattern.replaceIn(text, by));
          goesOn = rule.goesOn();
        }
      }
    }
    if (text.equals(written)) {
      return false;
    }
    statement.replace(text);
    return true;
  }

  /** The statement has ended. */
  public void ended() {
    isDone = false;
  }

  private void meets(QueryRule rule, RuleCount count, String digest) {
    if (statement.command().prepareReply() == null) {
      count.add(StatementRules.hit(session, statement, digest));
    }
    StatementRules.tell(session, rule, count, digest);
  }

  /** One statement, with the parameters that the client knows of. */
  private String checked(QueryRule rule, String text) {
    byte[] sql = statement.source().encode(text);
    var scan = new Scan();
    new SqlScanner().scan(sql, 0, sql.length, session.lexerMode(), scan);
    if (scan.next() >= 0) {
      throw ErrorCatalogue.RULE_REWRITES.refuse(rule.name(), "several statements");
    }
    boolean hasParameters =
        statement.command().isPrepared() || statement.command().prepareReply() != null;
    int wanted = statement.scan().parameterCount();
    if (hasParameters && scan.parameterCount() != wanted) {
      throw ErrorCatalogue.RULE_REWRITES.refuse(
          rule.name(),
          "one with %d parameters instead of %d".formatted(scan.parameterCount(), wanted));
    }
    return text;
  }
}
