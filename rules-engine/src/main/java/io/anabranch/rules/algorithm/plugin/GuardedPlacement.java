package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.RefusedException;
import java.util.BitSet;
import java.util.function.Supplier;

/** Sharding algorithms of plug-ins behind a guard. Two are equal if what they guard is. */
public final class GuardedPlacement {

  private GuardedPlacement() {}

  /**
   * The same algorithm, for the same strategies.
   *
   * @throws IllegalArgumentException if what it tells of itself cannot be
   */
  public static PlacementAlgorithm of(PlugInGuard guard, PlacementAlgorithm plugIn) {
    return switch (plugIn) {
      case AutomaticAlgorithm automatic -> guard.made(() -> GuardedAutomatic.of(guard, automatic));
      case ShardingAlgorithm standard -> new GuardedSharding(guard, standard);
      case ComplexShardingAlgorithm complex -> new GuardedComplex(guard, complex);
      case HintShardingAlgorithm hint -> new GuardedHint(guard, hint);
    };
  }

  /**
   * @throws RefusedException if it is none of the targets
   */
  static int one(PlugInGuard guard, ShardingAlgorithm plugIn, TargetSet targets, Value value) {
    int target;
    try {
      target = value.of(plugIn);
    } catch (Throwable failure) {
      throw guard.failed(failure);
    }
    if (target < ShardingAlgorithm.NO_TARGET || target >= targets.size()) {
      throw outside(guard, target, targets);
    }
    return target;
  }

  /**
   * The caller's own set: plug-ins may keep theirs.
   *
   * @throws RefusedException if one is none of the targets
   */
  static BitSet several(PlugInGuard guard, TargetSet targets, Supplier<BitSet> question) {
    BitSet found = guard.asked(() -> (BitSet) question.get().clone());
    if (found.length() > targets.size()) {
      throw outside(guard, found.length() - 1, targets);
    }
    return found;
  }

  private static RefusedException outside(PlugInGuard guard, int target, TargetSet targets) {
    return guard.refused("it gave the position " + target + " of " + targets.size() + " targets");
  }

  /** Asks for the target of a value. */
  interface Value {
    int of(ShardingAlgorithm plugIn);
  }
}
