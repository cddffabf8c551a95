package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;

/** An algorithm of the hint's values. */
record GuardedHint(PlugInGuard guard, HintShardingAlgorithm plugIn)
    implements HintShardingAlgorithm {

  @Override
  public BitSet targets(TargetSet targets, List<SqlValue> values) {
    return GuardedPlacement.several(guard, targets, () -> plugIn.targets(targets, values));
  }
}
