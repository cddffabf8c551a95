package io.anabranch.rules.placement;

import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.routing.HintValues;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the node of new rows of one table. Immutable. */
public final class RowPlacement {

  /** How one level finds the target of a row. */
  private interface Level {

    /** Position in {@code targets} or {@link ShardingAlgorithm#NO_TARGET}. */
    int target(TargetSet targets, Function<String, @Nullable SqlValue> values);

    /** What decides, for messages. */
    String columns();
  }

  private record OneColumn(NewKey key, ShardingAlgorithm algorithm) implements Level {
    @Override
    public int target(TargetSet targets, Function<String, @Nullable SqlValue> values) {
      List<SqlValue> stored = key.of(values.apply(key.column()));
      int target = algorithm.precise(targets, stored.getFirst());
      for (int i = 1; i < stored.size(); i++) {
        if (algorithm.precise(targets, stored.get(i)) != target) {
          throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
              "the value of sharding column '" + key.column() + "' may be stored as another value",
              "give it without a fraction of a second");
        }
      }
      return target;
    }

    @Override
    public String columns() {
      return key.column();
    }
  }

  private record SeveralColumns(List<NewKey> columnKeys, ComplexShardingAlgorithm algorithm)
      implements Level {
    @Override
    public int target(TargetSet targets, Function<String, @Nullable SqlValue> values) {
      var keys = new HashMap<String, List<SqlValue>>();
      for (NewKey key : columnKeys) {
        keys.put(key.column(), key.of(values.apply(key.column())));
      }
      return one(algorithm.targets(targets, keys, Map.of()));
    }

    @Override
    public String columns() {
      var names = new TreeSet<String>();
      columnKeys.forEach(key -> names.add(key.column()));
      return String.join(", ", names);
    }
  }

  private record Hinted(List<SqlValue> hint, HintShardingAlgorithm algorithm) implements Level {
    @Override
    public int target(TargetSet targets, Function<String, @Nullable SqlValue> values) {
      return one(algorithm.targets(targets, hint));
    }

    @Override
    public String columns() {
      return "the hint";
    }
  }

  private static int one(BitSet targets) {
    if (targets.cardinality() > 1) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "a sharding algorithm gives several targets for one row",
          "mend the algorithm, or the hint");
    }
    return targets.nextSetBit(0);
  }

  private final String table;
  private final NodeLayout layout;
  private final @Nullable Level bySource;
  private final @Nullable Level byTable;

  /**
   * Of rows that are stored already.
   *
   * @param types key types by lower-case column name
   */
  public RowPlacement(ShardedTable table, Map<String, KeyType> types) {
    this(table, types, Map.of(), HintValues.NONE);
  }

  /**
   * @param types key types by lower-case column name
   * @param forms likewise; none for values that have been read from such columns
   * @param hints of the statement for this table
   */
  public RowPlacement(
      ShardedTable table,
      Map<String, KeyType> types,
      Map<String, StoredForm> forms,
      HintValues hints) {
    this.table = table.name();
    layout = new NodeLayout(table);
    // Without a database strategy the tables alone may tell the data sources apart.
    Function<String, NewKey> keys =
        column -> new NewKey(column, types.getOrDefault(column, KeyType.OTHER), forms.get(column));
    bySource = level(table.databaseStrategy(), keys, hints.database(), false);
    boolean severalTables = false;
    for (int source = 0; source < layout.dataSources().size(); source++) {
      severalTables |= layout.tables(source).size() > 1;
    }
    byTable = level(table.tableStrategy(), keys, hints.table(), severalTables);
  }

  NodeLayout layout() {
    return layout;
  }

  /** Lower-case names of the columns that decide. */
  public static Set<String> columns(ShardedTable table) {
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
      ShardingStrategy strategy,
      Function<String, NewKey> keys,
      List<SqlValue> hint,
      boolean choice) {
    return switch (strategy) {
      case ShardingStrategy.Standard standard -> {
        String column = standard.column().toLowerCase(Locale.ROOT);
        yield new OneColumn(keys.apply(column), standard.algorithm());
      }
      case ShardingStrategy.None ignored -> {
        if (choice) {
          throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
              "table '" + table + "' has several nodes and no strategy to choose one",
              "configure a strategy for it");
        }
        yield null;
      }
      case ShardingStrategy.Complex complex -> {
        yield new SeveralColumns(
            complex.columns().stream()
                .map(name -> keys.apply(name.toLowerCase(Locale.ROOT)))
                .toList(),
            complex.algorithm());
      }
      case ShardingStrategy.Hint hinted -> {
        if (hint.isEmpty()) {
          throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
              "table '" + table + "' is sharded by hint, and the statement has none",
              "begin it with /* SHARDINGSPHERE_HINT: SHARDING_TABLE_VALUE=… */ (or DATABASE)");
        }
        yield new Hinted(hint, hinted.algorithm());
      }
    };
  }

  /**
   * @param values lower-case column to what the row holds; null for an expression
   * @return position of the node in {@link #layout}
   */
  public int node(Function<String, @Nullable SqlValue> values) {
    if (bySource != null) {
      int source = bySource.target(layout.dataSources(), values);
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
    int position = byTable == null ? 0 : byTable.target(layout.tables(source), values);
    return position < 0 ? position : layout.node(source, position);
  }

  private int noNode(Level level) {
    throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
        "no node of table '" + table + "' takes this value of '" + level.columns() + "'",
        "extend actualDataNodes or the algorithm's range");
  }
}
