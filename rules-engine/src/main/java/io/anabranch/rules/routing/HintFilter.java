package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes that a statement's hint chooses; the hint is part of the plan. */
final class HintFilter implements Filter {

  private final BitSet nodes;

  private HintFilter(BitSet nodes) {
    this.nodes = nodes;
  }

  /** Null where the table has no hint strategy, or the statement no hint for it. */
  static @Nullable HintFilter of(ShardedTable table, NodeLayout layout, HintValues hints) {
    HintShardingAlgorithm bySource = algorithm(table.databaseStrategy(), hints.database());
    HintShardingAlgorithm byTable = algorithm(table.tableStrategy(), hints.table());
    if (bySource == null && byTable == null) {
      return null;
    }
    var nodes = new BitSet();
    BitSet sources = targets(bySource, layout.dataSources(), hints.database());
    for (int source = sources.nextSetBit(0); source >= 0; source = sources.nextSetBit(source + 1)) {
      BitSet tables = targets(byTable, layout.tables(source), hints.table());
      for (int one = tables.nextSetBit(0); one >= 0; one = tables.nextSetBit(one + 1)) {
        nodes.set(layout.node(source, one));
      }
    }
    return new HintFilter(nodes);
  }

  private static @Nullable HintShardingAlgorithm algorithm(
      ShardingStrategy strategy, List<SqlValue> values) {
    return strategy instanceof ShardingStrategy.Hint(HintShardingAlgorithm algorithm)
            && !values.isEmpty()
        ? algorithm
        : null;
  }

  private static BitSet targets(
      @Nullable HintShardingAlgorithm algorithm, TargetSet targets, List<SqlValue> values) {
    if (algorithm != null) {
      return algorithm.targets(targets, values);
    }
    var all = new BitSet(targets.size());
    all.set(0, targets.size());
    return all;
  }

  @Override
  public BitSet nodes(SlotValues values) {
    return (BitSet) nodes.clone();
  }
}
