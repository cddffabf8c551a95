package io.anabranch.frontend.command;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.execution.Mirroring;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What asks a database how it runs the current statement: EXPLAIN of what the data source that took
 * longest was sent. Of reads alone: to optimize a statement, servers may call its functions, and
 * those of a read change nothing. On the session's event loop.
 */
final class ExplainedStatement {

  /** Every server takes it, and it shows no literals. */
  private static final byte[] EXPLAIN =
      "EXPLAIN FORMAT=TRADITIONAL ".getBytes(StandardCharsets.US_ASCII);

  /** Of text and parameters: nobody counts what is kept until the answer is there. */
  private static final int MOST_BYTES = 64 * 1024;

  private final Session session;
  private final CurrentStatement statement;

  ExplainedStatement(Session session, CurrentStatement statement) {
    this.session = session;
    this.statement = statement;
  }

  /** Null: there is nothing to ask. While the statement ends. */
  @Nullable BackgroundQuery query() {
    StatementPlan plan = statement.target().plan();
    Backend on = statement.target().backend();
    String source = slowest(statement.executed());
    if (plan == null
        || on == null
        || source == null
        || !Mirroring.isRead(statement.scan(), plan)
        || !session.database().temporaries().isEmpty()) {
      return null;
    }
    ShardQuery slow = query(plan.bind(statement.values().slots()), source, on.topology());
    ExecuteParameters parameters = statement.values().parameters();
    if (slow == null
        || parameters.hasLongValues()
        || slow.sql().length + parameters.length() > MOST_BYTES) {
      return null;
    }
    return new BackgroundQuery(
        on.desk(),
        session.settings(),
        session.loop(),
        new ShardQuery(source, explaining(slow.sql()), slow.parameters()),
        parameters,
        statement.command().isExecuted());
  }

  /** Null: none was asked. */
  private static @Nullable String slowest(ExecutedStatement executed) {
    return executed.sourceNanos().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /** The first one of the data source; null: it is not in the plan, as what a stage runs there. */
  private @Nullable ShardQuery query(BoundPlan bound, String source, Topology topology) {
    return switch (bound) {
      case BoundPlan.AsIs _ ->
          ShardQuery.taking(
              statement.command().isExecuted() ? statement.scan().parameterCount() : 0,
              source,
              statement.text().sql());
      case BoundPlan.Single single -> single.query();
      case BoundPlan.Merged merged -> {
        List<ShardQuery> all = PlanPrinter.queries(merged.root());
        String group = topology.groupOf(source);
        yield all.stream()
            .filter(each -> each.dataSource().equals(source) || each.dataSource().equals(group))
            .findFirst()
            .orElse(null);
      }
    };
  }

  private static byte[] explaining(byte[] sql) {
    byte[] explain = Arrays.copyOf(EXPLAIN, EXPLAIN.length + sql.length);
    System.arraycopy(sql, 0, explain, EXPLAIN.length, sql.length);
    return explain;
  }
}
