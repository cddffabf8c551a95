package io.anabranch.rules.model;

import io.anabranch.rules.algorithm.balance.LoadBalancer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One primary and its replicas, used like a data source.
 *
 * @param primary the configured writer; where the primary is discovered, the one preferred if
 *     several could be it
 * @param replicas names of data sources; may be empty
 */
public record ReplicationGroup(
    String name,
    String primary,
    List<String> replicas,
    TransactionalReads transactionalReads,
    Balancing balancing,
    HealthCheck health,
    Discovery discovery,
    ReadPolicy reads) {

  public ReplicationGroup {
    replicas = List.copyOf(replicas);
  }

  /** A group with a fixed primary and the defaults for the rest. */
  public ReplicationGroup(
      String name,
      String primary,
      List<String> replicas,
      TransactionalReads transactionalReads,
      Balancing balancing) {
    this(
        name,
        primary,
        replicas,
        transactionalReads,
        balancing,
        HealthCheck.DEFAULT,
        Discovery.STATIC,
        ReadPolicy.DEFAULT);
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
    WEIGHT,
    /** The one with the fewest statements under way in proportion to its weight. */
    LEAST_CONNECTIONS,
    /** The one that answered fastest lately. */
    LEAST_LATENCY,
    /** Round robin within the proxy's own zone while one of its replicas is fit, else over all. */
    LOCAL_ZONE;

    /** What configurations call them. */
    public static Set<String> names() {
      return Stream.of(values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());
    }
  }

  /**
   * How the replicas share the reads.
   *
   * @param weights replica to weight, greater than 0; absent: 1
   * @param localZone where this proxy is, for {@link Balance#LOCAL_ZONE}; empty otherwise
   * @param zones replica to its zone
   * @param plugIn chooses in the place of {@code balance}; null: none
   */
  public record Balancing(
      Balance balance,
      Map<String, Double> weights,
      String localZone,
      Map<String, String> zones,
      @Nullable PlugIn plugIn) {

    /** One after the other. */
    public static final Balancing ROUND_ROBIN = of(Balance.ROUND_ROBIN);

    public Balancing {
      weights = Map.copyOf(weights);
      zones = Map.copyOf(zones);
    }

    /** By a built-in type. */
    public Balancing(
        Balance balance, Map<String, Double> weights, String localZone, Map<String, String> zones) {
      this(balance, weights, localZone, zones, null);
    }

    /** Without weights and zones. */
    public static Balancing of(Balance balance) {
      return new Balancing(balance, Map.of(), "", Map.of());
    }

    /** By a plug-in. */
    public static Balancing of(PlugIn plugIn) {
      return new Balancing(Balance.ROUND_ROBIN, Map.of(), "", Map.of(), plugIn);
    }

    /** What configurations call it. */
    public String type() {
      return plugIn == null ? balance.name() : plugIn.type();
    }

    /**
     * A plug-in's balancer.
     *
     * @param type in upper snake case
     * @param properties as they are written, references in the place of secrets
     */
    public record PlugIn(String type, Map<String, String> properties, LoadBalancer balancer) {
      public PlugIn {
        properties = Map.copyOf(properties);
      }
    }
  }
}
