package io.anabranch.rules.model;

import java.util.List;
import java.util.Map;

/**
 * One primary and its replicas, used like a data source.
 *
 * @param replicas names of data sources; may be empty
 * @param weights replica to weight, for {@link Balance#WEIGHT}
 */
public record ReplicationGroup(
    String name,
    String primary,
    List<String> replicas,
    TransactionalReads transactionalReads,
    Balance balance,
    Map<String, Double> weights) {

  public ReplicationGroup {
    replicas = List.copyOf(replicas);
    weights = Map.copyOf(weights);
  }

  /** Where reads inside a transaction go. */
  public enum TransactionalReads {
    PRIMARY,
    /** The first read picks a replica, the transaction stays with it. */
    FIXED,
    DYNAMIC
  }

  /** How a replica is chosen. */
  public enum Balance {
    ROUND_ROBIN,
    RANDOM,
    WEIGHT
  }
}
