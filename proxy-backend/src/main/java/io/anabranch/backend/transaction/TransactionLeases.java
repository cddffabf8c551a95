package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A session's connections as one merge-lane statement sees them. */
final class TransactionLeases implements StatementLeases {

  private static final String SAVEPOINT = "SAVEPOINT `anabranch statement`";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT `anabranch statement`";

  private final SessionTransaction transaction;
  private final UnaryOperator<String> endpoints;
  private final Access access;
  private SessionSettings wanted;
  private final List<Lease> marked = new ArrayList<>();
  private boolean savepointDue;

  TransactionLeases(
      SessionTransaction transaction,
      UnaryOperator<String> endpoints,
      Access access,
      SessionSettings wanted) {
    this.transaction = transaction;
    this.endpoints = endpoints;
    this.access = access;
    this.wanted = wanted;
  }

  @Override
  public Lease ready(String endpoint) {
    Lease lease = transaction.leaseBlocking(endpoints.apply(endpoint), access);
    try {
      Commands.prologue(lease, transaction.prologue(lease, wanted));
      transaction.prologueSent(lease, wanted);
      if (savepointDue && !isMarked(lease)) {
        Commands.run(lease, SAVEPOINT);
        marked.add(lease);
      }
      return lease;
    } catch (ShardException.Lost broken) {
      throw transaction.lost(lease, "connection lost while it was prepared");
    } catch (ShardException.Database refused) {
      throw afterRefusedPrologue(lease, refused);
    }
  }

  @SuppressWarnings("ReferenceEquality") // leases are told apart by identity
  private boolean isMarked(Lease lease) {
    for (Lease one : marked) {
      if (one == lease) {
        return true;
      }
    }
    return false;
  }

  /** Part of the prologue ran, so nobody knows the connection's state: it is closed. */
  private ShardException afterRefusedPrologue(Lease lease, ShardException.Database refused) {
    transaction.lost(lease, "prologue refused: " + refused.getMessage());
    return refused;
  }

  @Override
  public Lease apart(String endpoint) {
    return transaction.apart(endpoints.apply(endpoint));
  }

  @Override
  public SessionSettings settings() {
    return wanted;
  }

  @Override
  public void completed(Lease lease, int statusFlags) {
    transaction.completed(lease, statusFlags);
  }

  @Override
  public void failed(Lease lease, int errno) {
    transaction.failed(lease, errno);
  }

  @Override
  public RefusedException lost(Lease lease, String reason) {
    return transaction.lost(lease, reason);
  }

  @Override
  public boolean isInTransaction() {
    return transaction.isOpen();
  }

  @Override
  public void setting(String name, String value) {
    wanted = wanted.with(name, value);
  }

  @Override
  public boolean isInUnit() {
    return transaction.inStatement();
  }

  @Override
  public void beginAtomic() {
    savepointDue = !transaction.beginStatement();
  }

  @Override
  public void commitAtomic() {
    savepointDue = false;
    marked.clear();
    if (transaction.inStatement()) {
      transaction.commit(false);
    }
  }

  @Override
  public void rollbackAtomic() {
    savepointDue = false;
    if (transaction.inStatement()) {
      transaction.rollback(false);
      return;
    }
    for (Lease lease : List.copyOf(marked)) {
      if (transaction.isOpenedOn(lease)) {
        undo(lease);
      }
    }
    marked.clear();
  }

  private void undo(Lease lease) {
    try {
      Commands.run(lease, UNDO);
    } catch (ShardException failure) {
      transaction.lost(lease, "statement could not be undone: " + failure.getMessage());
    }
  }
}
