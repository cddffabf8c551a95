package io.anabranch.frontend.local;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.topology.GroupStatus;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.current.UnscopedStatement;
import io.anabranch.frontend.execution.Planning;
import io.anabranch.frontend.execution.relay.SharedReads;
import io.anabranch.frontend.privilege.KnownNames;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.planner.Planner;
import io.anabranch.rules.task.PlanScope;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code EXPLAIN ROUTE statement} and {@code PREVIEW statement}: which way a statement would take,
 * without running it.
 */
final class RouteCommand {

  private static final int NAME = 64;
  private static final int TEXT = 16_000;
  private static final List<ResultColumn> COLUMNS =
      List.of(
          LocalColumns.text("lane", 8),
          LocalColumns.text("data_source", NAME),
          LocalColumns.text("sql", TEXT),
          LocalColumns.text("plan", TEXT));

  void run(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    int first = tokens.isWord(0, "PREVIEW") ? 1 : 2;
    if (first >= tokens.size()) {
      answer.fail(Syntax.near(source.text(), source.text().length()));
      return;
    }
    Session session = answer.session();
    byte[] sql = asked(source.text(), tokens, first).getBytes(session.charset());
    Wish wish = answer.planning();
    answer.blocking(
        () -> {
          List<List<String>> rows = rows(session, sql, wish);
          return () -> answer.rows(COLUMNS, rows);
        });
  }

  /** The statement that is asked about, with the comments in front of it: they may be hints. */
  private static String asked(String text, SqlTokens tokens, int first) {
    String inFront = text.substring(0, tokens.start(0));
    return (inFront + text.substring(tokens.end(first - 1))).strip();
  }

  private static List<List<String>> rows(Session session, byte[] sql, Wish wish) {
    session.database().requirePresent();
    Scan scan = CountedTexts.scan(sql, session);
    PlanScope scope = session.database().scope();
    Backend backend = session.backend();
    SourceText source = CountedTexts.read(scan, session);
    String literal = SessionFunctions.replace(source, session);
    if (literal != null) {
      return rows(session, literal.getBytes(session.charset()), wish);
    }
    if (scope == null || backend == null) {
      backend = UnscopedStatement.backend(source, scan.kind(), session);
      scope = session.database().scopeOf(backend);
    }
    Backend on = backend;
    Privileges.check(
        scan.kind(),
        source,
        session,
        new KnownNames(
            on.database().name(),
            name -> Planning.isOwn(on, name),
            name -> Planning.isView(on, name)));
    StatementPlan plan = session.deployment().planner().cached(scan, scope);
    var slots = new TextSlotValues().over(scan, session.charset(), session.lexerMode());
    BoundPlan bound;
    if (plan == null) {
      try (MemoryCharge tree = session.memory().charge(MemoryKind.HEAP, "planning")) {
        tree.grow(Planning.weight(on, scan));
        Planner.Planned fresh =
            session.deployment().planner().plan(scan, source, scope, slots, wish);
        plan = fresh.plan();
        bound = fresh.bound();
      }
    } else {
      bound = plan.bind(slots);
    }
    String printed = PlanPrinter.print(plan, bound);
    return switch (bound) {
      case BoundPlan.AsIs asIs ->
          List.of(
              List.of(
                  "relay",
                  target(on, asIs.dataSource(), plan, session),
                  new String(sql, session.charset()),
                  printed + shared(session, scan, plan, sql)));
      case BoundPlan.Single single ->
          List.of(
              List.of(
                  "relay",
                  target(on, single.query().dataSource(), plan, session),
                  new String(single.query().sql(), session.charset()),
                  printed + shared(session, scan, plan, single.query().sql())));
      case BoundPlan.Merged merged -> {
        var rows = new ArrayList<List<String>>();
        String once = printed;
        for (ShardQuery query : PlanPrinter.queries(merged.root())) {
          rows.add(
              List.of(
                  "merge",
                  target(on, query.dataSource(), plan, session),
                  new String(query.sql(), session.charset()),
                  once));
          once = "";
        }
        yield rows;
      }
    };
  }

  /** Whether other sessions' statements may be under way on its connection. */
  private static String shared(Session session, Scan scan, StatementPlan plan, byte[] sql) {
    return SharedReads.mayBe(session, scan, plan, sql) ? "\nmay share a connection" : "";
  }

  /**
   * A data source itself; of a group, who would be asked now as far as the statement alone decides.
   */
  private static String target(Backend on, String endpoint, StatementPlan plan, Session session) {
    Topology topology = on.topology();
    if (topology.reads(endpoint) == null) {
      return endpoint;
    }
    boolean isRead = plan.access() == StatementPlan.Access.READ && !session.transaction().isOpen();
    GroupStatus group =
        topology.status().stream()
            .filter(each -> each.definition().name().equals(endpoint))
            .findFirst()
            .orElseThrow();
    return isRead && !group.readers().isEmpty()
        ? endpoint + " -> " + String.join(" | ", group.readers())
        : endpoint + " -> " + group.primary();
  }
}
