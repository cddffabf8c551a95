package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;

/** An algorithm that numbers its targets; what it tells of itself is asked once. */
record GuardedAutomatic(
    PlugInGuard guard,
    AutomaticAlgorithm plugIn,
    int targetCount,
    boolean needsEveryTarget,
    int suffixWidth)
    implements AutomaticAlgorithm {

  /** Asks it: throws whatever the plug-in does. */
  static GuardedAutomatic of(PlugInGuard guard, AutomaticAlgorithm plugIn) {
    int count = plugIn.targetCount();
    if (count < 1 || count > AlgorithmProperties.MAX_TARGETS) {
      throw guard.refused("it has " + count + " targets");
    }
    return new GuardedAutomatic(
        guard, plugIn, count, plugIn.needsEveryTarget(), plugIn.suffixWidth());
  }

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
    return guard.asked(() -> List.copyOf(plugIn.review(column, targets)));
  }
}
