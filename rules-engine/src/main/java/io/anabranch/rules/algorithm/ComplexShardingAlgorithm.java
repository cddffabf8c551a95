package io.anabranch.rules.algorithm;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Maps values of several columns together to targets, for the {@code complex} strategy. Immutable,
 * thread-safe, does no I/O: called on event loops.
 */
public non-sealed interface ComplexShardingAlgorithm extends PlacementAlgorithm {

  /**
   * The targets that may hold rows of these values. A row that is inserted has one value for each
   * column, and must get exactly one target.
   *
   * @param targets the names that exist, data sources or tables
   * @param values the values that a column may have, by its name in lower case; never empty lists,
   *     no NULL
   * @param ranges columns of which only a range is known, by name in lower case; columns in neither
   *     map have any value
   * @return positions in {@code targets}
   * @throws io.anabranch.rules.error.RefusedException if a value cannot be mapped
   */
  BitSet targets(TargetSet targets, Map<String, List<SqlValue>> values, Map<String, Range> ranges);
}
