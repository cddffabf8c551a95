package io.anabranch.rules.planner.show;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.metadata.TriggerCells;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** SHOW TRIGGERS: one node's of each sharded table, in logical names. */
final class TriggerListing {

  private static final List<String> BEHIND_STATEMENT =
      List.of(
          "ACTION_TIMING AS Timing",
          "CREATED AS Created",
          "SQL_MODE AS sql_mode",
          "DEFINER AS Definer",
          "CHARACTER_SET_CLIENT AS character_set_client",
          "COLLATION_CONNECTION AS collation_connection",
          "DATABASE_COLLATION AS `Database Collation`");

  private static final String ORDER =
      " ORDER BY CAST(`Table` AS BINARY), FIELD(Event, 'INSERT', 'UPDATE', 'DELETE'),"
          + " Timing DESC, ACTION_ORDER";

  private static final int WIDTH = 4 + BEHIND_STATEMENT.size();

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SourceText source;
  private final int condition;

  /**
   * @param condition token of LIKE or WHERE; behind the last if there is none
   */
  TriggerListing(PlanTask task, SourceText source, int condition) {
    this.task = task;
    this.database = task.database();
    this.source = source;
    this.condition = condition;
  }

  StatementPlan plan() {
    var queries = new ArrayList<ShardQuery>();
    for (String endpoint : database.endpoints()) {
      queries.add(ShardQuery.text(endpoint, source.encode(sql(endpoint))));
    }
    var key = new SortKey(2, WIDTH + 1, new byte[0], false);
    PlanNode route = new PlanNode.Route(queries, task.catalog().describe(queries.getFirst()));
    PlanNode root = new PlanNode.TrimColumns(new PlanNode.OrderedMerge(route, List.of(key)), WIDTH);
    return FixedPlan.of(
        task, Access.WRITE, NameMapping.ofSchema(database.name()), new BoundPlan.Merged(root));
  }

  private String sql(String endpoint) {
    var shown = new TreeMap<String, String>();
    var hidden = new TreeSet<String>();
    for (ShardedTable table : database.shardedTables().values()) {
      DataNode first = table.nodes().getFirst();
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(endpoint) && !node.equals(first)) {
          hidden.add(node.table());
        } else if (node.dataSource().equals(endpoint) && !node.table().equals(table.name())) {
          shown.put(node.table(), table.name());
        }
      }
    }
    if (!endpoint.equals(database.endpoints().getFirst())) {
      hidden.addAll(database.broadcastTables().values());
    }
    var cells = new TriggerCells(shown);
    var sql =
        new StringBuilder("SELECT listing.*, CAST(`Table` AS BINARY) AS weight FROM (SELECT ");
    sql.append(cells.name()).append(" AS `Trigger`, EVENT_MANIPULATION AS Event, ");
    sql.append(cells.table()).append(" AS `Table`, ");
    sql.append(cells.statement())
        .append(" AS Statement, ")
        .append(String.join(", ", BEHIND_STATEMENT));
    sql.append(", ACTION_ORDER");
    sql.append(" FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()");
    String comma = " AND EVENT_OBJECT_TABLE NOT IN (";
    for (String one : hidden) {
      sql.append(comma).append(TableNames.literal(one));
      comma = ", ";
    }
    sql.append(hidden.isEmpty() ? "" : ")").append(") AS listing");
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(condition, "LIKE") && condition + 1 < tokens.size()) {
      sql.append(" WHERE ").append(NamePattern.condition("`Table`", tokens.text(condition + 1)));
    } else if (tokens.isWord(condition, "WHERE")) {
      sql.append(ShownCondition.text(source, condition));
    }
    return sql.append(ORDER).toString();
  }
}
