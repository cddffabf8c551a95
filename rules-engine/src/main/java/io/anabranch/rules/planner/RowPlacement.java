package io.anabranch.rules.planner;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.routing.KeyType;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.value.SqlValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the node of new rows of one table. Immutable. */
final class RowPlacement {

  private record Level(String column, KeyType type, ShardingAlgorithm algorithm) {}

  private final String table;
  private final NodeLayout layout;
  private final @Nullable Level bySource;
  private final @Nullable Level byTable;

  /**
   * @param types key types by lower-case column name
   */
  RowPlacement(ShardedTable table, Map<String, KeyType> types) {
    this.table = table.name();
    layout = new NodeLayout(table);
    // Without a database strategy the tables alone may tell the data sources apart.
    bySource = level(table.databaseStrategy(), types, false);
    boolean severalTables = false;
    for (int source = 0; source < layout.dataSources().size(); source++) {
      severalTables |= layout.tables(source).size() > 1;
    }
    byTable = level(table.tableStrategy(), types, severalTables);
  }

  NodeLayout layout() {
    return layout;
  }

  /** Lower-case names of the columns that decide. */
  static Set<String> columns(ShardedTable table) {
    var columns = new LinkedHashSet<String>();
    for (ShardingStrategy strategy : List.of(table.databaseStrategy(), table.tableStrategy())) {
      switch (strategy) {
        case ShardingStrategy.Standard standard ->
            columns.add(standard.column().toLowerCase(Locale.ROOT));
        case ShardingStrategy.Complex complex ->
            complex.columns().forEach(column -> columns.add(column.toLowerCase(Locale.ROOT)));
        case ShardingStrategy.Hint ignored -> {}
        case ShardingStrategy.None ignored -> {}
      }
    }
    return columns;
  }

  private @Nullable Level level(
      ShardingStrategy strategy, Map<String, KeyType> types, boolean choice) {
    return switch (strategy) {
      case ShardingStrategy.Standard standard -> {
        String column = standard.column().toLowerCase(Locale.ROOT);
        KeyType type = types.getOrDefault(column, KeyType.OTHER);
        yield new Level(column, type, standard.algorithm());
      }
      case ShardingStrategy.None ignored -> {
        if (choice) {
          throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
              "table '" + table + "' has several nodes and no strategy to choose one",
              "configure a strategy for it");
        }
        yield null;
      }
      case ShardingStrategy.Complex ignored ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "INSERT into a table with a complex strategy", "use standard strategies");
      case ShardingStrategy.Hint ignored ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "INSERT into a table with a hint strategy", "use standard strategies");
    };
  }

  /**
   * @param values lower-case column to what the row holds; null for an expression
   * @return position of the node in {@link #layout}
   */
  int node(Function<String, @Nullable SqlValue> values) {
    if (bySource != null) {
      int source = target(bySource, layout.dataSources(), values);
      return source < 0 ? noNode(bySource) : nodeIn(source, values);
    }
    int found = ShardingAlgorithm.NO_TARGET;
    for (int source = 0; source < layout.dataSources().size(); source++) {
      int node = tableOf(source, values);
      if (node >= 0 && found >= 0) {
        throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
            "several data sources have a node of table '" + table + "' for this row",
            "configure a databaseStrategy");
      }
      found = Math.max(found, node);
    }
    return found < 0 && byTable != null ? noNode(byTable) : found;
  }

  private int nodeIn(int source, Function<String, @Nullable SqlValue> values) {
    int node = tableOf(source, values);
    return node < 0 && byTable != null ? noNode(byTable) : node;
  }

  private int tableOf(int source, Function<String, @Nullable SqlValue> values) {
    int position = byTable == null ? 0 : target(byTable, layout.tables(source), values);
    return position < 0 ? position : layout.node(source, position);
  }

  private int noNode(Level level) {
    throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
        "no node of table '" + table + "' takes this value of '" + level.column() + "'",
        "extend actualDataNodes or the algorithm's range");
  }

  private int target(Level level, TargetSet targets, Function<String, @Nullable SqlValue> values) {
    SqlValue key = StoredKey.of(level.column(), level.type(), values.apply(level.column()));
    return level.algorithm().precise(targets, key);
  }
}
