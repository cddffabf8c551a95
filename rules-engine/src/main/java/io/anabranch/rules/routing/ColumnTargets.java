package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Where the values of one sharding column of a table live. */
final class ColumnTargets {

  private final NodeLayout layout;
  private final @Nullable ShardingAlgorithm byDataSource;
  private final @Nullable ShardingAlgorithm byTable;

  ColumnTargets(NodeLayout layout, ShardedTable table, String column) {
    this.layout = layout;
    byDataSource = algorithmOf(table.databaseStrategy(), column);
    byTable = algorithmOf(table.tableStrategy(), column);
  }

  private static @Nullable ShardingAlgorithm algorithmOf(ShardingStrategy level, String column) {
    return level instanceof ShardingStrategy.Standard standard
            && standard.column().equalsIgnoreCase(column)
        ? standard.algorithm()
        : null;
  }

  /** Whether the column alone decides a level. */
  boolean decides() {
    return byDataSource != null || byTable != null;
  }

  /** Adds the nodes of one key. */
  void add(SqlValue key, BitSet to) {
    if (byDataSource != null) {
      int source = byDataSource.precise(layout.dataSources(), key);
      if (source != ShardingAlgorithm.NO_TARGET) {
        addTables(source, key, to);
      }
      return;
    }
    for (int source = 0; source < layout.dataSources().size(); source++) {
      addTables(source, key, to);
    }
  }

  private void addTables(int source, SqlValue key, BitSet to) {
    if (byTable == null) {
      layout.addDataSource(source, to);
      return;
    }
    int table = byTable.precise(layout.tables(source), key);
    if (table != ShardingAlgorithm.NO_TARGET) {
      to.set(layout.node(source, table));
    }
  }

  /** Adds the nodes that may hold keys of a range. */
  void add(Range range, BitSet to) {
    var sources = new BitSet();
    if (byDataSource != null) {
      sources = byDataSource.range(layout.dataSources(), range);
    } else {
      sources.set(0, layout.dataSources().size());
    }
    for (int source = sources.nextSetBit(0); source >= 0; source = sources.nextSetBit(source + 1)) {
      if (byTable == null) {
        layout.addDataSource(source, to);
        continue;
      }
      BitSet tables = byTable.range(layout.tables(source), range);
      for (int table = tables.nextSetBit(0); table >= 0; table = tables.nextSetBit(table + 1)) {
        to.set(layout.node(source, table));
      }
    }
  }
}
