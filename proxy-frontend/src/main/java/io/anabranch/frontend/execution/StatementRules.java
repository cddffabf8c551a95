package io.anabranch.frontend.execution;

import io.anabranch.backend.row.RowCap;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.Ruling;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.notice.Pace;
import io.anabranch.frontend.rule.RuleCount;
import io.anabranch.frontend.rule.RuleHit;
import io.anabranch.frontend.rule.SessionRules;
import io.anabranch.frontend.session.ExecutedStatement.WrittenForm;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.guard.RuleMatching;
import io.anabranch.rules.model.protection.Priority;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.QueryRule.Route;
import io.anabranch.rules.model.protection.RuleMask;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.PlanRules;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.wall.InjectionWall;
import io.anabranch.rules.task.StatementHints;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the rules about the current statement, once it is known where it goes and before any of it
 * is done, and sees to what they say. On the session's event loop.
 */
public final class StatementRules {

  private static final Logger log = LoggerFactory.getLogger("io.anabranch.rules");

  /** Patterns look at so much of a text: nobody waits for more on an event loop. */
  static final int SEARCHED_BYTES = 64 * 1024;

  /** Looking for injections in a longer text would keep the other sessions of the loop waiting. */
  private static final int SHORT_BYTES = 4 * 1024;

  private static final int UNKNOWN = -1;

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final SessionRules own;

  private @Nullable Future<?> deadline;

  /** Among whose statements this one has a place. */
  private final List<RuleCount> entered = new ArrayList<>();

  // of one question
  private int dataSources = UNKNOWN;
  private @Nullable String text;

  /** Why it looks like an injection; empty: it does not, or no rule wants to know. */
  private String injection = "";

  /**
   * @param own the rules that concern the session
   */
  public StatementRules(
      Session session, CurrentStatement statement, Interruption interruption, SessionRules own) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.own = own;
  }

  /**
   * Looks for injections, if any of the rules that the statement may meet wants to know.
   *
   * @param then goes on with {@link #ask}, on the event loop
   */
  void examine(StatementPlan plan, StatementCourse course, Runnable then) {
    injection = "";
    text = null;
    List<QueryRule> rules = session.deployment().rules().protection().rules();
    int length = statement.scan().end() - statement.scan().start();
    if (rules.isEmpty() || !looksForInjections(plan, rules)) {
      then.run();
    } else if (length > SEARCHED_BYTES) {
      injection = statement.scan().kind().inserts() ? "" : "too long to be looked at";
      then.run();
    } else if (length > SHORT_BYTES) {
      String examined = text();
      course.blocking(
          () -> {
            String reason = InjectionWall.reason(examined);
            return () -> {
              injection = reason;
              then.run();
            };
          });
    } else {
      injection = InjectionWall.reason(text());
      then.run();
    }
  }

  private boolean looksForInjections(StatementPlan plan, List<QueryRule> rules) {
    RuleMask mine = own.of(rules, session.user().name(), session.clientHost());
    RuleMask met = statement.executed().written() == null ? plan.rules().rules() : mine;
    for (int at = met.next(mine, 0); at >= 0; at = met.next(mine, at + 1)) {
      if (rules.get(at).matching().looksForInjections()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The statement is about to run, or is prepared: then it is only asked whether it may. To be
   * called behind {@link #examine}.
   *
   * @throws RefusedException RULE_DENIES, RULE_DATA_SOURCES, RULE_PLACES
   */
  void ask(StatementPlan plan, BoundPlan bound) {
    List<QueryRule> rules = session.deployment().rules().protection().rules();
    if (rules.isEmpty() || statement.command().listed() != null) {
      return;
    }
    PlanRules met = plan.rules();
    WrittenForm written = statement.executed().written();
    PlanRules ofClient = written == null ? met : asWritten(written, rules);
    if (met.rules().isEmpty() && ofClient.rules().isEmpty()) {
      return;
    }
    dataSources = UNKNOWN;
    text = null;
    RuleMask mine = own.of(rules, session.user().name(), session.clientHost());
    var said = new Said();
    RuleMask either = met.rules().or(ofClient.rules());
    boolean goesOn = true;
    for (int at = either.next(mine, 0); goesOn && at >= 0; at = either.next(mine, at + 1)) {
      QueryRule rule = rules.get(at);
      if (isMet(rule, bound)) {
        goesOn = rule.logOnly() || rule.goesOn();
        meets(rule, own.count(at), met.digest().isEmpty() ? ofClient : met, said);
      }
    }
    text = null;
    obey(said, plan, bound);
  }

  /** Where it goes: for each attempt to run it. */
  public BoundPlan routed(BoundPlan planned) {
    String wanted = statement.ruling().dataSource();
    return wanted == null ? planned : new BoundPlan.AsIs(wanted);
  }

  /** The statement has ended. */
  public void ended() {
    if (!entered.isEmpty()) {
      entered.forEach(RuleCount::leave);
      entered.clear();
    }
    session.command().priority(Priority.NORMAL);
    Future<?> timer = deadline;
    if (timer != null) {
      deadline = null;
      timer.cancel(false);
    }
  }

  // ---------------------------------------------------------------- what is met

  /** Where the proxy has put another text in its place, rules are about the client's. */
  private PlanRules asWritten(WrittenForm written, List<QueryRule> rules) {
    return matching(session, statement, written.normalForm()).of(rules);
  }

  /**
   * What rules may know of a statement in front of its plan.
   *
   * @param normalForm of the client's text
   */
  static RuleMatching matching(Session session, CurrentStatement statement, byte[] normalForm) {
    return new RuleMatching(
        statement.target().chosen().database(),
        statement.scan().kind(),
        statement.source().tokens(),
        normalForm,
        session.charset(),
        session.lexerMode().ansiQuotes(),
        StatementHints.of(statement.scan(), session.charset()));
  }

  private boolean isMet(QueryRule rule, BoundPlan bound) {
    int most = rule.matching().moreThanDataSources();
    TextPattern pattern = rule.matching().pattern();
    return (most == 0 || dataSources(bound) > most)
        && (!rule.matching().looksForInjections() || !injection.isEmpty())
        && (pattern == null || pattern.isIn(text()));
  }

  private int dataSources(BoundPlan bound) {
    if (dataSources == UNKNOWN) {
      dataSources =
          switch (bound) {
            case BoundPlan.AsIs _, BoundPlan.Single _ -> 1;
            case BoundPlan.Merged merged -> PlanPrinter.dataSources(merged.root()).size();
          };
    }
    return dataSources;
  }

  private String text() {
    String known = text;
    if (known == null) {
      byte[] sql = statement.scan().sql();
      int start = statement.scan().start();
      int length = Math.min(statement.scan().end() - start, SEARCHED_BYTES);
      known = new String(sql, start, length, session.charset());
      text = known;
    }
    return known;
  }

  /** What all rules say together. */
  private static final class Said {
    @Nullable Route route;
    @Nullable QueryRule timed;
    @Nullable QueryRule ofRows;
    @Nullable QueryRule ofBytes;
    @Nullable QueryRule ofSources;
    Ruling.@Nullable Mirrored mirrored;
    @Nullable Priority priority;
    long cacheMilliseconds;
    @Nullable RuleCount caching;
    @Nullable RuleCount merging;
  }

  private void meets(QueryRule rule, RuleCount count, PlanRules of, Said said) {
    QueryRule.Actions actions = rule.actions();
    String denial = actions.deny();
    if (statement.command().prepareReply() != null && (denial == null || rule.logOnly())) {
      return;
    }
    count.add(hit(session, statement, of.digest()));
    tell(session, rule, count, of.digest());
    if (rule.logOnly()) {
      return;
    }
    if (denial != null) {
      boolean isInjection = rule.matching().looksForInjections();
      throw ErrorCatalogue.RULE_DENIES.refuse(
          rule.name(), isInjection ? denial + ": " + injection : denial);
    }
    int most = actions.statementsAtATime();
    if (most > 0) {
      if (!count.enter(most)) {
        throw ErrorCatalogue.RULE_PLACES.refuse(rule.name(), most);
      }
      entered.add(count);
    }
    if (said.route == null) {
      said.route = actions.route();
    }
    said.timed = least(said.timed, rule, actions.milliseconds(), QueryRule.Actions::milliseconds);
    said.ofRows = least(said.ofRows, rule, actions.maxRows(), QueryRule.Actions::maxRows);
    said.ofBytes = least(said.ofBytes, rule, actions.maxBytes(), QueryRule.Actions::maxBytes);
    said.ofSources =
        least(said.ofSources, rule, actions.maxDataSources(), QueryRule.Actions::maxDataSources);
    if (said.caching == null && actions.cacheMilliseconds() > 0) {
      said.caching = count;
      said.cacheMilliseconds = actions.cacheMilliseconds();
    }
    if (said.merging == null && actions.merges()) {
      said.merging = count;
    }
    QueryRule.Mirror mirror = actions.mirror();
    if (said.mirrored == null && mirror != null) {
      said.mirrored = new Ruling.Mirrored(rule, mirror, count);
    }
    if (said.priority == null) {
      said.priority = actions.priority();
    }
    String tag = actions.tag();
    if (tag != null) {
      statement.executed().tag(tag);
    }
  }

  /** Of what a rule says and those before it: whose number is least. */
  private static @Nullable QueryRule least(
      @Nullable QueryRule known,
      QueryRule rule,
      long number,
      ToLongFunction<QueryRule.Actions> of) {
    if (number == 0) {
      return known;
    }
    return known == null || number < of.applyAsLong(known.actions()) ? rule : known;
  }

  static RuleHit hit(Session session, CurrentStatement statement, String digest) {
    String database = statement.target().chosen().database().name();
    return new RuleHit(
        Instant.now(), session.user().name(), session.clientHost(), database, digest);
  }

  /** Where the rule wants it, at most once in a while. */
  static void tell(Session session, QueryRule rule, RuleCount count, String digest) {
    if (!rule.logOnly() && !rule.actions().logs()) {
      return;
    }
    long others = count.pace().next();
    if (others >= 0) {
      log.info(
          "{}: the rule {} has met a statement with the digest {}{}{}",
          session,
          rule.name(),
          digest,
          rule.logOnly() ? ", and would do: " + String.join(", ", rule.actions().keys()) : "",
          Pace.others(others));
    }
  }

  // ---------------------------------------------------------------- what is done

  private void obey(Said said, StatementPlan plan, BoundPlan bound) {
    QueryRule scatter = said.ofSources;
    if (scatter != null && dataSources(bound) > scatter.actions().maxDataSources()) {
      throw ErrorCatalogue.RULE_DATA_SOURCES.refuse(
          scatter.name(), scatter.actions().maxDataSources(), dataSources(bound));
    }
    RowCap cap = cap(said);
    if (cap != null) {
      // a cursor would give the rest in commands of its own
      statement.command().wantsCursor(false);
    }
    Route route = said.route;
    Ruling.Mirrored mirrored = Mirroring.mayBe(said.mirrored, session, statement, plan);
    Ruling.Kept kept =
        said.caching == null && said.merging == null
            ? null
            : new Ruling.Kept(said.cacheMilliseconds, said.caching, said.merging);
    if (route != null || cap != null || mirrored != null || kept != null) {
      boolean isRead = statement.target().access() == Access.READ;
      statement.ruling(
          new Ruling(
              route instanceof Route.DataSource(String name) ? name : null,
              isRead && route instanceof Route.Replica && said.caching == null,
              cap,
              mirrored,
              kept));
    }
    if (said.priority != null) {
      session.command().priority(said.priority);
    }
    if (route instanceof Route.Primary) {
      statement.target().access(Access.WRITE);
    }
    QueryRule timed = said.timed;
    if (timed != null) {
      long milliseconds = timed.actions().milliseconds();
      long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - statement.times().started());
      deadline =
          session
              .loop()
              .schedule(
                  () ->
                      interruption.interrupt(
                          ErrorCatalogue.RULE_TIME.refuse(timed.name(), milliseconds)),
                  Math.max(0, milliseconds - passed),
                  TimeUnit.MILLISECONDS);
    }
  }

  private @Nullable RowCap cap(Said said) {
    QueryRule ofRows = said.ofRows;
    QueryRule ofBytes = said.ofBytes;
    boolean isQuery =
        switch (statement.scan().kind()) {
          case SELECT, QUERY_EXPRESSION, SHOW, DESCRIBE, HANDLER, TABLE_MAINTENANCE -> true;
          default -> false;
        };
    if (!isQuery || (ofRows == null && ofBytes == null)) {
      return null;
    }
    return new RowCap(
        ofRows == null ? Long.MAX_VALUE : ofRows.actions().maxRows(),
        ofRows == null ? "" : ofRows.name(),
        ofBytes == null ? Long.MAX_VALUE : ofBytes.actions().maxBytes(),
        ofBytes == null ? "" : ofBytes.name());
  }
}
