package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where values of several columns of a table live, by its complex strategies. */
final class ComplexTargets {

  /** One level with a complex strategy. */
  private record Level(Set<String> columns, ComplexShardingAlgorithm algorithm) {

    static @Nullable Level of(ShardingStrategy strategy) {
      if (!(strategy instanceof ShardingStrategy.Complex complex)) {
        return null;
      }
      var columns = new HashSet<String>();
      complex.columns().forEach(column -> columns.add(column.toLowerCase(Locale.ROOT)));
      return new Level(columns, complex.algorithm());
    }

    /** Null: nothing is known of its columns. */
    @Nullable BitSet targets(
        TargetSet targets, Map<String, List<SqlValue>> values, Map<String, Range> ranges) {
      var own = new HashMap<>(values);
      own.keySet().retainAll(columns);
      var ownRanges = new HashMap<>(ranges);
      ownRanges.keySet().retainAll(columns);
      return own.isEmpty() && ownRanges.isEmpty()
          ? null
          : algorithm.targets(targets, Map.copyOf(own), Map.copyOf(ownRanges));
    }
  }

  private final NodeLayout layout;
  private final @Nullable Level bySource;
  private final @Nullable Level byTable;

  ComplexTargets(NodeLayout layout, ShardedTable table) {
    this.layout = layout;
    bySource = Level.of(table.databaseStrategy());
    byTable = Level.of(table.tableStrategy());
  }

  /** Whether a level looks at the column. */
  boolean decidesBy(String column) {
    return (bySource != null && bySource.columns().contains(column))
        || (byTable != null && byTable.columns().contains(column));
  }

  /** Nodes of rows with these values; the caller's own set. */
  BitSet nodes(Map<String, List<SqlValue>> values, Map<String, Range> ranges) {
    var nodes = new BitSet();
    BitSet sources =
        bySource == null ? null : bySource.targets(layout.dataSources(), values, ranges);
    for (int source = 0; source < layout.dataSources().size(); source++) {
      if (sources != null && !sources.get(source)) {
        continue;
      }
      BitSet tables =
          byTable == null ? null : byTable.targets(layout.tables(source), values, ranges);
      if (tables == null) {
        layout.addDataSource(source, nodes);
        continue;
      }
      for (int table = tables.nextSetBit(0); table >= 0; table = tables.nextSetBit(table + 1)) {
        nodes.set(layout.node(source, table));
      }
    }
    return nodes;
  }
}
