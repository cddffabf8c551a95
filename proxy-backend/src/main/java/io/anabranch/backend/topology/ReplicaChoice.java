package io.anabranch.backend.topology;

import io.anabranch.rules.model.ReplicationGroup;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** A way to pick one of a group's replicas, of which there is at least one. Thread-safe. */
interface ReplicaChoice {

  String next();

  static ReplicaChoice of(ReplicationGroup group, RandomGenerator random) {
    List<String> replicas = group.replicas();
    return switch (group.balance()) {
      case ROUND_ROBIN -> new RoundRobin(replicas, new AtomicInteger());
      case RANDOM -> () -> replicas.get(random.nextInt(replicas.size()));
      case WEIGHT -> Weighted.of(group, random);
    };
  }

  /** One after the other. */
  record RoundRobin(List<String> replicas, AtomicInteger turn) implements ReplicaChoice {
    @Override
    public String next() {
      return replicas.get(Math.floorMod(turn.getAndIncrement(), replicas.size()));
    }
  }

  /**
   * At random, in proportion to weights.
   *
   * @param limits running sums of the weights
   */
  record Weighted(List<String> replicas, double[] limits, RandomGenerator random)
      implements ReplicaChoice {

    static Weighted of(ReplicationGroup group, RandomGenerator random) {
      double[] limits = new double[group.replicas().size()];
      double sum = 0;
      for (int i = 0; i < limits.length; i++) {
        sum += group.weights().getOrDefault(group.replicas().get(i), 1.0);
        limits[i] = sum;
      }
      return new Weighted(group.replicas(), limits, random);
    }

    @Override
    public String next() {
      double point = random.nextDouble() * limits[limits.length - 1];
      int i = 0;
      while (i < limits.length - 1 && point >= limits[i]) {
        i++;
      }
      return replicas.get(i);
    }
  }
}
