package io.anabranch.rules.algorithm;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds algorithm types that configurations name.
 */
public interface AlgorithmProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * Makes a {@link ShardingAlgorithm}, a {@link ComplexShardingAlgorithm} or a {@link
   * HintShardingAlgorithm}: that decides in which strategies it can be named.
   *
   * @param properties the algorithm's {@code props}, as text
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  PlacementAlgorithm create(Map<String, String> properties);
}
