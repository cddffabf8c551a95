package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;

/** An algorithm of one column. */
record GuardedSharding(PlugInGuard guard, ShardingAlgorithm plugIn)
    implements ShardingAlgorithm, TargetReview {

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return GuardedPlacement.one(guard, plugIn, targets, own -> own.precise(targets, value));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return GuardedPlacement.several(guard, targets, () -> plugIn.range(targets, range));
  }

  @Override
  public List<Finding> review(String column, TargetSet targets) {
    return plugIn instanceof TargetReview reviewer
        ? guard.asked(() -> List.copyOf(reviewer.review(column, targets)))
        : List.of();
  }
}
