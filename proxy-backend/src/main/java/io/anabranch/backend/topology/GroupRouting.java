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
    boolean isBalanced = isBalanced(access, transaction);
    Member chosen = candidate(isBalanced, transaction, tried);
    boolean stays = !isBalanced || (transaction != null && staysOnReplica(transaction));
    if (transaction != null && chosen != null && stays) {
      transaction.stay(definition.name(), chosen, !isBalanced);
    }
    return chosen;
  }

  /** Whether a replica may do it; else the primary is wanted. */
  private boolean isBalanced(Access access, @Nullable TransactionMembers transaction) {
    return access == Access.READ
        && (transaction == null || staysOnReplica(transaction) || isDynamic());
  }

  private @Nullable Member candidate(
      boolean isBalanced, @Nullable TransactionMembers transaction, long tried) {
    boolean isUnderWay = transaction != null && !transaction.isEmpty();
    return isBalanced ? reader(tried) : primary(isUnderWay);
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
    return replica == null ? withoutReplica(tried) : replica;
  }

  /** Whether {@link #reader} finds one; no balancer is asked. */
  private boolean isRead() {
    return group.anyReader() != null || withoutReplica(0) != null;
  }

  private @Nullable Member withoutReplica(long tried) {
    boolean isAlone = definition.replicas().isEmpty();
    if (!isAlone && definition.reads().noReplica() != NoReplica.PRIMARY) {
      return null;
    }
    Member primary = group.view().primary();
    return primary == null || (primary.bit() & tried) != 0 ? null : primary;
  }

  // ---------------------------------------------------------------- waiting

  /** See {@link Topology#describing}. */
  Member describing() {
    Member primary = group.view().primary();
    if (primary != null && primary.condition().isReachable()) {
      return primary;
    }
    Member replica = group.anyReader();
    return replica == null ? memberBlocking(Access.WRITE, null, new MemberWait()) : replica;
  }

  /** See {@link Topology#await}. */
  void await(
      Access access,
      @Nullable TransactionMembers transaction,
      MemberWait wait,
      Executor loop,
      Consumer<@Nullable RuntimeException> resumed) {
    boolean isBalanced = isBalanced(access, transaction);
    CompletableFuture<@Nullable Void> change = group.nextChange();
    wait.awaits(change);
    boolean isServed = isBalanced ? isRead() : candidate(false, transaction, 0) != null;
    long left = isServed ? 0 : left(isBalanced, wait);
    if (left <= 0) {
      change.cancel(false);
      RuntimeException refusal = isServed ? null : refusal(isBalanced);
      loop.execute(() -> resumed.accept(refusal));
      return;
    }
    group.counts().held.increment();
    change
        .orTimeout(left, TimeUnit.NANOSECONDS)
        .whenCompleteAsync(
            (_, late) -> resumed.accept(late == null ? wait.ending() : refusal(isBalanced)), loop);
  }

  /** See {@link Topology#memberBlocking}. */
  Member memberBlocking(Access access, @Nullable TransactionMembers transaction, MemberWait wait) {
    Member member = member(access, transaction, 0);
    while (member == null) {
      boolean isBalanced = isBalanced(access, transaction);
      CompletableFuture<@Nullable Void> change = group.nextChange();
      wait.awaits(change);
      long left = left(isBalanced, wait);
      member = member(access, transaction, 0);
      if (member != null || left <= 0) {
        change.cancel(false);
      } else {
        group.counts().held.increment();
      }
      if (member == null && (left <= 0 || !isChanged(change, left))) {
        throw refusal(isBalanced);
      }
      RuntimeException ending = wait.ending();
      if (ending != null) {
        throw ending;
      }
    }
    return member;
  }

  private long left(boolean isBalanced, MemberWait wait) {
    long since = wait.since();
    return limitNanos(isBalanced) - (System.nanoTime() - since);
  }

  private static boolean isChanged(CompletableFuture<@Nullable Void> change, long nanos) {
    return change
        .orTimeout(nanos, TimeUnit.NANOSECONDS)
        .handle((_, late) -> !(late instanceof TimeoutException))
        .join();
  }

  /** Whether a statement that has waited since then for a primary may go on waiting. */
  boolean mayHold(long sinceNanos) {
    return System.nanoTime() - sinceNanos < limitNanos(false);
  }

  private boolean needsReplica(boolean isBalanced) {
    return isBalanced
        && definition.reads().noReplica() != NoReplica.PRIMARY
        && !definition.replicas().isEmpty();
  }

  private long limitNanos(boolean isBalanced) {
    long milliseconds;
    if (needsReplica(isBalanced)) {
      ReadPolicy reads = definition.reads();
      milliseconds = reads.noReplica() == NoReplica.WAIT ? reads.noReplicaWaitMilliseconds() : 0;
    } else {
      boolean isStopped = group.view().writes() == Writes.STOPPED;
      milliseconds = isStopped ? 0 : definition.discovery().holdWritesMilliseconds();
    }
    return TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  private RefusedException refusal(boolean isBalanced) {
    String name = definition.name();
    if (needsReplica(isBalanced)) {
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
