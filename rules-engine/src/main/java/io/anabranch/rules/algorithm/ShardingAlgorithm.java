package io.anabranch.rules.algorithm;

import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Maps values of a sharding column to targets. Immutable, thread-safe, does no I/O: called on event
 * loops.
 *
 * <p>Plug-ins implement it and are found by {@code CLASS_BASED} or {@link AlgorithmProvider}.
 */
public non-sealed interface ShardingAlgorithm extends PlacementAlgorithm {

  /** The answer of {@link #precise} when no target of the given set fits. */
  int NO_TARGET = -1;

  /**
   * The target of one value.
   *
   * @param targets the names that exist, data sources or tables
   * @return index into {@code targets}, or {@link #NO_TARGET}
   * @throws io.anabranch.rules.error.RefusedException if the value has a type or range that the
   *     algorithm cannot map (NULL included)
   */
  int precise(TargetSet targets, SqlValue value);

  /**
   * The targets that may hold values of a range. Bounds are null where open.
   *
   * @throws io.anabranch.rules.error.RefusedException if ranges are not allowed
   */
  BitSet range(TargetSet targets, Range range);

  /**
   * A range of values.
   *
   * @param lower null: unbounded
   * @param upper null: unbounded
   */
  record Range(
      @Nullable SqlValue lower,
      boolean lowerInclusive,
      @Nullable SqlValue upper,
      boolean upperInclusive) {}
}
