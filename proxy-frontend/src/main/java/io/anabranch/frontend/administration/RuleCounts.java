package io.anabranch.frontend.administration;

import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/** How many rules of a kind a database has. */
final class RuleCounts {

  static final List<ResultColumn> COLUMNS =
      List.of(
          LocalColumns.text("rule_name", 64),
          LocalColumns.text("database", 64),
          LocalColumns.number("count"));

  private RuleCounts() {}

  static List<List<String>> sharding(Request request) {
    LogicalDatabase database = request.database();
    int references = ShardingListings.rule(request).texts("bindingTables").size();
    return List.of(
        row("sharding_table", database, database.shardedTables().size()),
        row("sharding_table_reference", database, references));
  }

  static List<List<String>> broadcast(Request request) {
    LogicalDatabase database = request.database();
    return List.of(row("broadcast_table", database, database.broadcastTables().size()));
  }

  static List<List<String>> groups(Request request) {
    LogicalDatabase database = request.database();
    return List.of(row("readwrite_splitting", database, database.groups().size()));
  }

  static List<List<String>> single(Request request) {
    return List.of(row("single", request.database(), DatabaseListings.single(request).size()));
  }

  /**
   * Of a rule that the file alone tells of.
   *
   * @param rule its tag, in small letters
   * @param key what is counted in it
   */
  static Form.Rows of(String rule, String key) {
    return request -> {
      int count = request.document().rule(rule).mapping(key).entries().size();
      return List.of(row(rule, request.database(), count));
    };
  }

  private static List<String> row(String rule, LogicalDatabase database, int count) {
    return List.of(rule, database.name(), Integer.toString(count));
  }
}
