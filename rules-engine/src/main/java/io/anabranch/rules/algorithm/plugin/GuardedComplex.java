package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.ColumnReview;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** An algorithm of several columns. */
record GuardedComplex(PlugInGuard guard, ComplexShardingAlgorithm plugIn)
    implements ComplexShardingAlgorithm, ColumnReview {

  @Override
  public BitSet targets(
      TargetSet targets, Map<String, List<SqlValue>> values, Map<String, Range> ranges) {
    return GuardedPlacement.several(guard, targets, () -> plugIn.targets(targets, values, ranges));
  }

  @Override
  public List<String> missing(List<String> columns) {
    return plugIn instanceof ColumnReview reviewer
        ? guard.asked(() -> List.copyOf(reviewer.missing(columns)))
        : List.of();
  }
}
