package io.anabranch.rules.model;

import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import java.util.List;

/** How one level (data sources, or tables of one data source) of a sharded table is chosen. */
public sealed interface ShardingStrategy {

  /** By one column. */
  record Standard(String column, ShardingAlgorithm algorithm) implements ShardingStrategy {}

  /** By several columns together. */
  record Complex(List<String> columns, ComplexShardingAlgorithm algorithm)
      implements ShardingStrategy {
    public Complex {
      columns = List.copyOf(columns);
    }
  }

  /** By the value of an SQL hint only. */
  record Hint(HintShardingAlgorithm algorithm) implements ShardingStrategy {}

  /** No choice: all targets. */
  enum None implements ShardingStrategy {
    NONE
  }
}
