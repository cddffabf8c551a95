package io.anabranch.backend.topology;

import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The read/write groups of one logical database. Immutable but for the counters of round robin;
 * thread-safe.
 */
public final class Topology {

  private final Map<String, Group> groups;

  private Topology(Map<String, Group> groups) {
    this.groups = Map.copyOf(groups);
  }

  public static Topology of(LogicalDatabase database, RandomGenerator random) {
    var groups = new HashMap<String, Group>();
    for (ReplicationGroup group : database.groups().values()) {
      groups.put(group.name(), new Group(group, ReplicaChoice.of(group, random)));
    }
    return new Topology(groups);
  }

  /**
   * The data source that runs a statement.
   *
   * <p>Outside of transactions reads are balanced over the replicas and all else goes to the
   * primary. Inside, {@link TransactionalReads} says; but once the transaction has sent anything
   * else than a read to a group, its reads stay with the primary under every strategy, because a
   * replica would not show them the transaction's own changes.
   *
   * @param endpoint a group or a data source
   * @param transaction what the session's open transaction has used; null outside of transactions
   */
  public String dataSource(
      String endpoint, Access access, @Nullable TransactionMembers transaction) {
    Group group = groups.get(endpoint);
    if (group == null) {
      return endpoint;
    }
    String primary = group.definition.primary();
    if (group.definition.replicas().isEmpty()) {
      return primary;
    }
    if (access == Access.WRITE) {
      if (transaction != null) {
        transaction.stay(endpoint, primary);
      }
      return primary;
    }
    if (transaction == null) {
      return group.choice.next();
    }
    String member = transaction.memberFor(endpoint);
    if (member != null) {
      return member;
    }
    return switch (group.definition.transactionalReads()) {
      case PRIMARY -> primary;
      case DYNAMIC -> group.choice.next();
      case FIXED -> {
        String replica = group.choice.next();
        transaction.stay(endpoint, replica);
        yield replica;
      }
    };
  }

  private record Group(ReplicationGroup definition, ReplicaChoice choice) {}
}
