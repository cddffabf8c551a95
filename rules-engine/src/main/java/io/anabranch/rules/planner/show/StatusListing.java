package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * SHOW TABLE STATUS: one row per logical table. Row counts and sizes are the sums over its nodes,
 * row lengths, counters and times of change the largest, what is left that of one node.
 */
final class StatusListing {

  /** Columns of {@code information_schema.TABLES} by the names that SHOW gives them. */
  private static final List<String> COLUMNS =
      List.of(
          "ENGINE Engine",
          "VERSION Version",
          "ROW_FORMAT Row_format",
          "TABLE_ROWS Rows",
          "AVG_ROW_LENGTH Avg_row_length",
          "DATA_LENGTH Data_length",
          "MAX_DATA_LENGTH Max_data_length",
          "INDEX_LENGTH Index_length",
          "DATA_FREE Data_free",
          "AUTO_INCREMENT Auto_increment",
          "CREATE_TIME Create_time",
          "UPDATE_TIME Update_time",
          "CHECK_TIME Check_time",
          "TABLE_COLLATION Collation",
          "CHECKSUM Checksum",
          "CREATE_OPTIONS Create_options",
          "TABLE_COMMENT Comment");

  /** Only MariaDB has these. */
  private static final List<String> MORE =
      List.of("MAX_INDEX_LENGTH Max_index_length", "TEMPORARY Temporary");

  private static final Set<String> SUMMED =
      Set.of("Rows", "Data_length", "Index_length", "Data_free");
  private static final Set<String> LARGEST =
      Set.of(
          "Version",
          "Avg_row_length",
          "Max_data_length",
          "Auto_increment",
          "Create_time",
          "Update_time",
          "Check_time");

  /** Columns that are the same for all nodes of a table, so that a condition may look at them. */
  private static final Set<String> COMMON = Set.of("name", "engine", "collation", "comment");

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SourceText source;
  private final int condition;

  /**
   * @param condition token of LIKE or WHERE; behind the last if there is none
   */
  StatusListing(PlanTask task, SourceText source, int condition) {
    this.task = task;
    this.database = task.database();
    this.source = source;
    this.condition = condition;
  }

  StatementPlan plan() {
    refuseSummed();
    List<String> names = names();
    List<String> endpoints = database.endpoints();
    var queries = new ArrayList<ShardQuery>();
    for (String endpoint : endpoints) {
      queries.add(ShardQuery.text(endpoint, source.encode(sql(endpoint, names))));
    }
    int width = names.size() + 1;
    var aggregates = new ArrayList<Aggregate>();
    aggregates.add(aggregate(Aggregate.Function.FIRST, 0));
    for (int i = 1; i < width; i++) {
      aggregates.add(aggregate(function(shown(names.get(i - 1))), i));
    }
    List<SortKey> keys = List.of(new SortKey(0, width, new byte[0], false));
    PlanNode route = new PlanNode.Route(queries, task.catalog().describe(queries.getFirst()));
    PlanNode merged = new PlanNode.OrderedMerge(route, keys);
    return FixedPlan.of(
        task,
        Access.WRITE,
        NameMapping.ofSchema(database.name()),
        new BoundPlan.Merged(new PlanNode.GroupedAggregate(merged, keys, aggregates)));
  }

  /** A condition on a sum cannot be asked of the parts. */
  private void refuseSummed() {
    SqlTokens tokens = source.tokens();
    if (!tokens.isWord(condition, "WHERE")) {
      return;
    }
    for (String column : names()) {
      String name = shown(column).toLowerCase(Locale.ROOT);
      if (tokens
          .from(condition + 1)
          .has(
              i ->
                  tokens.isName(i)
                      && tokens.name(i).equalsIgnoreCase(name)
                      && !COMMON.contains(name))) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SHOW TABLE STATUS WHERE " + shown(column), "use LIKE, or WHERE Name = …");
      }
    }
  }

  private static Aggregate.Function function(String column) {
    if (SUMMED.contains(column)) {
      return Aggregate.Function.SUM;
    }
    return LARGEST.contains(column) ? Aggregate.Function.MAX : Aggregate.Function.FIRST;
  }

  private static Aggregate aggregate(Aggregate.Function function, int column) {
    return new Aggregate(function, column, -1, new byte[0]);
  }

  private static String shown(String column) {
    return column.substring(column.indexOf(' ') + 1);
  }

  private List<String> names() {
    var all = "SELECT * FROM information_schema.TABLES";
    var has =
        task
            .catalog()
            .describe(ShardQuery.text(database.endpoints().getFirst(), source.encode(all)))
            .stream()
            .map(ResultColumn::name)
            .toList();
    var names = new ArrayList<String>(COLUMNS);
    for (String column : MORE) {
      if (has.contains(column.substring(0, column.indexOf(' ')))) {
        names.add(column);
      }
    }
    return names;
  }

  private String sql(String endpoint, List<String> names) {
    var outer = new StringBuilder("SELECT Name");
    var inner = new StringBuilder();
    for (String column : names) {
      String shown = TableNames.quoted(shown(column));
      outer.append(", ").append(shown);
      inner.append(", ").append(column, 0, column.indexOf(' ')).append(" AS ").append(shown);
    }
    var listed = new ListedTables(task, endpoint, (table, node) -> true);
    outer
        .append(", CAST(Name AS BINARY) AS weight FROM (SELECT ")
        .append(listed.name())
        .append(" AS Name")
        .append(inner)
        .append(" FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()");
    outer.append(listed.withoutHidden());
    outer.append(") AS listing");
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(condition, "LIKE") && condition + 1 < tokens.size()) {
      outer.append(" WHERE ").append(NamePattern.condition("Name", tokens.text(condition + 1)));
    } else if (tokens.isWord(condition, "WHERE")) {
      outer.append(ShownCondition.text(source, condition));
    }
    return outer.append(" ORDER BY CAST(Name AS BINARY)").toString();
  }
}
