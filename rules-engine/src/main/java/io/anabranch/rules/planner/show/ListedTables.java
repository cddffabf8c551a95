package io.anabranch.rules.planner.show;

import io.anabranch.rules.catalog.HiddenTables;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * The tables of an endpoint as a list shows them, in SQL over {@code information_schema.TABLES}:
 * nodes by the names of their tables, without what is hidden.
 *
 * @param isListed whether the list shows that node of a table
 */
record ListedTables(PlanTask task, String endpoint, BiPredicate<ShardedTable, DataNode> isListed) {

  /** The expression of their names. */
  String name() {
    Map<String, String> logical = new TreeMap<>();
    for (ShardedTable table : task.database().shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(endpoint)
            && !node.table().equals(table.name())
            && isListed.test(table, node)) {
          logical.put(node.table(), table.name());
        }
      }
    }
    if (logical.isEmpty()) {
      return "TABLE_NAME";
    }
    var sql = new StringBuilder("CASE TABLE_NAME");
    logical.forEach(
        (actual, name) ->
            sql.append(" WHEN ")
                .append(TableNames.literal(actual))
                .append(" THEN ")
                .append(TableNames.literal(name)));
    return sql.append(" ELSE TABLE_NAME END").toString();
  }

  /** What a condition goes on with; empty where nothing is hidden. */
  String withoutHidden() {
    var hidden = HiddenTables.on(endpoint, task.rules(), task.database(), isListed);
    return hidden.isEmpty()
        ? ""
        : hidden.stream()
            .map(TableNames::literal)
            .collect(Collectors.joining(", ", " AND TABLE_NAME NOT IN (", ")"));
  }
}
