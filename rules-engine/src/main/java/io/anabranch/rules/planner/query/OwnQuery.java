package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A query of the proxy's own over some nodes, planned as if they were all there is. */
public final class OwnQuery {

  private final PlanTask task;
  private final LogicalDatabase database;

  /**
   * @param table as the queries call it
   * @param nodes each with the same columns
   */
  public OwnQuery(PlanTask task, String table, List<DataNode> nodes) {
    this.task = task;
    LogicalDatabase whole = task.database();
    var strategy = ShardingStrategy.None.NONE;
    database =
        new LogicalDatabase(
            whole.name(),
            whole.dataSources(),
            whole.groups(),
            Map.of(
                table.toLowerCase(Locale.ROOT),
                new ShardedTable(table, nodes, strategy, strategy, null, -1)),
            Map.of(),
            whole.single());
  }

  /**
   * The rows of the query over all nodes.
   *
   * @return null if they cannot be merged as a stream
   * @throws SchemaCatalog.DescribeException with the database's error
   */
  public @Nullable PlanNode rows(String sql) {
    PlanScope own = task.scope();
    var scope =
        new PlanScope(
            database,
            own.charset(),
            own.ansiQuotes(),
            own.noBackslashEscapes(),
            own.permitted(),
            own.settings(),
            own.collation(),
            own.temporaries(),
            own.locks());
    LexerMode mode = own.lexerMode();
    byte[] text = sql.getBytes(own.charset());
    Scan scan = new SqlScanner().scan(text, 0, text.length, mode, new Scan());
    var question = task.of(scan, scope, task.catalog());
    BoundPlan bound = new QueryPlanner().plan(question).bind(question.written());
    return switch (bound) {
      case BoundPlan.Merged merged -> isStream(merged.root()) ? merged.root() : null;
      case BoundPlan.Single single -> one(single.query());
      case BoundPlan.AsIs _ -> null;
    };
  }

  /** The rows of a query that is ready for its data source. */
  PlanNode one(ShardQuery query) {
    return new PlanNode.Route(List.of(query), task.catalog().describe(query));
  }

  /** Whether nothing of it is staged or sorted in memory. */
  private static boolean isStream(PlanNode root) {
    for (PlanNode node = root; node != null; node = node.input()) {
      if (node instanceof PlanNode.Stage || node instanceof PlanNode.Sort) {
        return false;
      }
    }
    return true;
  }
}
