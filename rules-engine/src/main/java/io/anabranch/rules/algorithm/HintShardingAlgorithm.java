package io.anabranch.rules.algorithm;

import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;

/**
 * Maps the value of a statement's hint to targets, for the {@code hint} strategy. Without a hint
 * all targets are asked and the algorithm is not. Immutable, thread-safe, does no I/O.
 */
public non-sealed interface HintShardingAlgorithm extends PlacementAlgorithm {

  /**
   * @param targets the names that exist, data sources or tables
   * @param values what the hint says, integers as such; never empty
   * @return positions in {@code targets}
   * @throws io.anabranch.rules.error.RefusedException if a value cannot be mapped
   */
  BitSet targets(TargetSet targets, List<SqlValue> values);
}
