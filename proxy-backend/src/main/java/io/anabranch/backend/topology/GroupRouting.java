package io.anabranch.backend.topology;

import io.anabranch.backend.topology.GroupView.Writes;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.NoReplica;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which member of a group runs a statement, and how long one waits that nobody runs now. Looks at
 * the group's present view and takes no lock. Thread-safe.
 */
final class GroupRouting {

  private final ReplicaGroup group;
  private final ReplicationGroup definition;

  GroupRouting(ReplicaGroup group) {
    this.group = group;
    this.definition = group.definition();
  }

  /** See {@link Topology#member}. */
  @Nullable Member member(Access access, @Nullable TransactionMembers transaction, long tried) {
    boolean isRead = access == Access.READ;
    Member kept = transaction == null ? null : transaction.keptFor(definition.name(), isRead);
    if (kept != null) {
      return kept;
    }
    boolean isFixed = isRead && transaction != null && staysOnReplica(transaction);
    boolean isBalanced = isRead && (transaction == null || isFixed || isDynamic());
    boolean isUnderWay = transaction != null && !transaction.isEmpty();
    Member chosen = isBalanced ? reader(tried) : primary(isUnderWay);
    if (transaction != null && chosen != null && (!isBalanced || isFixed)) {
      transaction.stay(definition.name(), chosen, !isBalanced);
    }
    return chosen;
  }

  private boolean staysOnReplica(TransactionMembers transaction) {
    return definition.transactionalReads() == TransactionalReads.FIXED
        || (transaction.isReadOnly() && definition.reads().readOnlyTransactionsOnReplicas());
  }

  private boolean isDynamic() {
    return definition.transactionalReads() == TransactionalReads.DYNAMIC;
  }

  /**
   * @param underWay what writes has begun elsewhere, and must come to its end before a primary that
   *     is being taken out is idle
   */
  @Nullable Member primary(boolean underWay) {
    GroupView view = group.view();
    Member primary = view.primary();
    boolean isDraining =
        primary != null
            && view.writes() == Writes.HELD
            && primary.condition().state() == MemberState.OFFLINE_SOFT;
    return view.writes() == Writes.OPEN || (underWay && isDraining) ? primary : null;
  }

  private @Nullable Member reader(long tried) {
    Member replica = group.reader(tried);
    if (replica != null) {
      return replica;
    }
    boolean isAlone = definition.replicas().isEmpty();
    if (!isAlone && definition.reads().noReplica() != NoReplica.PRIMARY) {
      return null;
    }
    Member primary = group.view().primary();
    return primary == null || (primary.bit() & tried) != 0 ? null : primary;
  }

  // ---------------------------------------------------------------- waiting

  /** See {@link Topology#await}. */
  void await(
      Access access, long sinceNanos, Executor loop, Consumer<@Nullable RefusedException> resumed) {
    CompletableFuture<@Nullable Void> change = group.nextChange();
    boolean isServed = access == Access.READ ? reader(0) != null : primary(false) != null;
    long left = isServed ? 0 : limitNanos(access) - (System.nanoTime() - sinceNanos);
    if (left <= 0) {
      change.cancel(false);
      RefusedException refusal = isServed ? null : refusal(access);
      loop.execute(() -> resumed.accept(refusal));
      return;
    }
    group.counts().held.increment();
    change
        .orTimeout(left, TimeUnit.NANOSECONDS)
        .whenCompleteAsync(
            (_, late) -> resumed.accept(late == null ? null : refusal(access)), loop);
  }

  /** See {@link Topology#memberBlocking}. */
  Member memberBlocking(Access access, @Nullable TransactionMembers transaction) {
    long since = System.nanoTime();
    Member member = member(access, transaction, 0);
    while (member == null) {
      CompletableFuture<@Nullable Void> change = group.nextChange();
      long left = limitNanos(access) - (System.nanoTime() - since);
      member = member(access, transaction, 0);
      if (member != null || left <= 0) {
        change.cancel(false);
      } else {
        group.counts().held.increment();
      }
      if (member == null && (left <= 0 || !isChanged(change, left))) {
        throw refusal(access);
      }
    }
    return member;
  }

  private static boolean isChanged(CompletableFuture<@Nullable Void> change, long nanos) {
    return change
        .orTimeout(nanos, TimeUnit.NANOSECONDS)
        .handle((_, late) -> !(late instanceof TimeoutException))
        .join();
  }

  /** Whether a statement that has waited since then for a primary may go on waiting. */
  boolean mayHold(long sinceNanos) {
    return System.nanoTime() - sinceNanos < limitNanos(Access.WRITE);
  }

  private boolean needsReplica(Access access) {
    return access == Access.READ
        && definition.reads().noReplica() != NoReplica.PRIMARY
        && !definition.replicas().isEmpty();
  }

  private long limitNanos(Access access) {
    long milliseconds;
    if (needsReplica(access)) {
      ReadPolicy reads = definition.reads();
      milliseconds = reads.noReplica() == NoReplica.WAIT ? reads.noReplicaWaitMilliseconds() : 0;
    } else {
      boolean isStopped = group.view().writes() == Writes.STOPPED;
      milliseconds = isStopped ? 0 : definition.discovery().holdWritesMilliseconds();
    }
    return TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  private RefusedException refusal(Access access) {
    String name = definition.name();
    if (needsReplica(access)) {
      var states = new ArrayList<String>();
      for (Member member : group.members()) {
        states.add(member + " " + member.condition().state());
      }
      return ErrorCatalogue.NO_REPLICA.refuse(name, String.join(", ", states));
    }
    GroupView view = group.view();
    return view.writes() == Writes.STOPPED
        ? ErrorCatalogue.SPLIT_BRAIN.refuse(name, view.reason())
        : ErrorCatalogue.NO_PRIMARY.refuse(name, view.reason());
  }
}
