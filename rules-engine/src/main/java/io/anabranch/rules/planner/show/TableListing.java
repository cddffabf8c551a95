package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
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

/**
 * SHOW TABLES: each endpoint lists its schema by {@code information_schema}, one node of each
 * sharded table under the logical name, broadcast tables on the first endpoint only.
 */
final class TableListing {

  /** Servers cut the names of columns off behind it, and then do not find them. */
  private static final int LONGEST_LABEL = 255;

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SourceText source;
  private final boolean full;
  private final int condition;

  /**
   * @param condition token of LIKE or WHERE; behind the last if there is none
   */
  TableListing(PlanTask task, SourceText source, boolean full, int condition) {
    this.task = task;
    this.database = task.database();
    this.source = source;
    this.full = full;
    this.condition = condition;
  }

  StatementPlan plan() {
    List<String> endpoints = database.endpoints();
    var names = NameMapping.ofSchema(database.name());
    boolean several = endpoints.size() > 1;
    var queries = new ArrayList<ShardQuery>();
    for (String endpoint : endpoints) {
      queries.add(ShardQuery.text(endpoint, source.encode(sql(endpoint, several))));
    }
    if (!several) {
      return FixedPlan.of(task, Access.WRITE, names, new BoundPlan.Single(queries.getFirst()));
    }
    var columns = task.catalog().describe(queries.getFirst());
    int width = full ? 2 : 1;
    var route = new PlanNode.Route(queries, columns);
    var key = new SortKey(0, width, new byte[0], false);
    PlanNode root = new PlanNode.TrimColumns(new PlanNode.OrderedMerge(route, List.of(key)), width);
    return FixedPlan.of(task, Access.WRITE, names, new BoundPlan.Merged(root));
  }

  private String sql(String endpoint, boolean weighted) {
    SqlTokens tokens = source.tokens();
    boolean like = tokens.isWord(condition, "LIKE") && condition + 1 < tokens.size();
    String pattern = like ? tokens.text(condition + 1) : "";
    String label = "Tables_in_" + database.name() + (like ? " (" + unquoted(pattern) + ")" : "");
    if (label.length() > LONGEST_LABEL) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SHOW TABLES in a sharded database with a pattern of such a length",
          "its names have 64 characters");
    }
    String name = TableNames.quoted(label);
    var sql = new StringBuilder("SELECT ").append(name);
    if (full) {
      sql.append(", Table_type");
    }
    if (weighted) {
      sql.append(", CAST(").append(name).append(" AS BINARY) AS weight");
    }
    var listed =
        new ListedTables(task, endpoint, (table, node) -> node.equals(table.nodes().getFirst()));
    sql.append(" FROM (SELECT ")
        .append(listed.name())
        .append(" AS ")
        .append(name)
        .append(", TABLE_TYPE AS Table_type FROM information_schema.TABLES")
        .append(" WHERE TABLE_SCHEMA = DATABASE()")
        .append(listed.withoutHidden())
        .append(") AS listing");
    if (like) {
      sql.append(" WHERE ").append(NamePattern.condition(name, pattern));
    } else if (tokens.isWord(condition, "WHERE")) {
      sql.append(ShownCondition.text(source, condition));
    }
    return sql.append(" ORDER BY CAST(").append(name).append(" AS BINARY)").toString();
  }

  private static String unquoted(String pattern) {
    return pattern.length() > 1 ? pattern.substring(1, pattern.length() - 1) : pattern;
  }
}
