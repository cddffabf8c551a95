package io.anabranch.backend.topology;

import io.anabranch.rules.algorithm.balance.LoadBalancer;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Picks one of the fit replicas by the group's policy. Takes no lock and, but for a plug-in,
 * allocates nothing: it is on the way of every read. Thread-safe.
 */
final class ReplicaChoice {

  private final String group;
  private final Balance balance;
  private final @Nullable LoadBalancer plugIn;
  private final RandomGenerator random;
  private final AtomicInteger turn = new AtomicInteger();

  ReplicaChoice(String group, Balancing balancing, RandomGenerator random) {
    this.group = group;
    this.balance = balancing.balance();
    Balancing.PlugIn own = balancing.plugIn();
    this.plugIn = own == null ? null : own.balancer();
    this.random = random;
  }

  /**
   * @param readers in the order of {@link GroupView#readers}
   * @param tried bits of members that have failed this read already
   * @return null if there is none left
   * @throws io.anabranch.rules.error.RefusedException if a plug-in fails that was to choose
   */
  @Nullable Member pick(List<Member> readers, long tried) {
    int size = readers.size();
    if (size == 0) {
      return null;
    }
    if (plugIn != null) {
      return chosen(plugIn, readers, tried);
    }
    return switch (balance) {
      case ROUND_ROBIN -> from(readers, turn(size), size, tried);
      case RANDOM -> from(readers, random.nextInt(size), size, tried);
      case WEIGHT -> from(readers, weighted(readers, size), size, tried);
      case LEAST_CONNECTIONS -> leastConnections(readers, size, tried);
      case LEAST_LATENCY -> leastLatency(readers, size, tried);
      case LOCAL_ZONE -> localZone(readers, size, tried);
    };
  }

  private @Nullable Member chosen(LoadBalancer balancer, List<Member> readers, long tried) {
    List<Member> left =
        tried == 0
            ? readers
            : readers.stream().filter(member -> (member.bit() & tried) == 0).toList();
    return switch (left.size()) {
      case 0 -> null;
      case 1 -> left.getFirst();
      default -> left.get(balancer.choose(group, left));
    };
  }

  private int turn(int size) {
    return Math.floorMod(turn.getAndIncrement(), size);
  }

  /** The first from {@code start} on, round, that has not been tried. */
  private static @Nullable Member from(List<Member> readers, int start, int size, long tried) {
    for (int i = 0; i < size; i++) {
      Member member = readers.get((start + i) % size);
      if ((member.bit() & tried) == 0) {
        return member;
      }
    }
    return null;
  }

  private int weighted(List<Member> readers, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += readers.get(i).weight();
    }
    double point = random.nextDouble() * sum;
    int i = 0;
    for (point -= readers.get(0).weight(); point >= 0 && i < size - 1; ) {
      i++;
      point -= readers.get(i).weight();
    }
    return i;
  }

  private @Nullable Member leastConnections(List<Member> readers, int size, long tried) {
    Member best = null;
    double least = Double.MAX_VALUE;
    int start = turn(size);
    for (int i = 0; i < size; i++) {
      Member member = readers.get((start + i) % size);
      double load = (member.running() + 1) / member.weight();
      if ((member.bit() & tried) == 0 && load < least) {
        best = member;
        least = load;
      }
    }
    return best;
  }

  private @Nullable Member leastLatency(List<Member> readers, int size, long tried) {
    Member best = null;
    double least = Double.MAX_VALUE;
    long now = System.nanoTime();
    int start = turn(size);
    for (int i = 0; i < size; i++) {
      Member member = readers.get((start + i) % size);
      double cost = member.expectedNanos(now);
      if ((member.bit() & tried) == 0 && cost < least) {
        best = member;
        least = cost;
      }
    }
    return best;
  }

  private @Nullable Member localZone(List<Member> readers, int size, long tried) {
    int locals = 0;
    while (locals < size && readers.get(locals).isLocal()) {
      locals++;
    }
    Member local = locals == 0 ? null : from(readers, turn(locals), locals, tried);
    return local == null ? from(readers, turn(size), size, tried) : local;
  }
}
