package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Commands;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A session's connections as one merge-lane statement sees them. */
final class TransactionLeases implements StatementLeases {

  private static final String SAVEPOINT = "SAVEPOINT `anabranch statement`";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT `anabranch statement`";

  private final SessionConnections connections;
  private final OpenTransaction open;
  private final UnaryOperator<String> endpoints;
  private final Access access;
  private SessionSettings wanted;
  private final List<Lease> marked = new ArrayList<>();
  private boolean savepointDue;

  TransactionLeases(
      SessionConnections connections,
      OpenTransaction open,
      UnaryOperator<String> endpoints,
      Access access,
      SessionSettings wanted) {
    this.connections = connections;
    this.open = open;
    this.endpoints = endpoints;
    this.access = access;
    this.wanted = wanted;
  }

  @Override
  public Lease ready(String endpoint) {
    Lease lease = connections.leaseBlocking(endpoints.apply(endpoint), access);
    try {
      Commands.prologue(lease, connections.prologue(lease, wanted));
      connections.prologueSent(lease, wanted);
      if (savepointDue && !isMarked(lease)) {
        Commands.run(lease, SAVEPOINT);
        marked.add(lease);
      }
      return lease;
    } catch (ShardException.Lost broken) {
      throw connections.lost(lease, "connection lost while it was prepared");
    } catch (ShardException.Database refused) {
      throw afterRefusedPrologue(lease, refused);
    }
  }

  @Override
  public @Nullable Lease readyNow(String endpoint) {
    Lease lease = connections.leaseNow(endpoints.apply(endpoint), access, wanted);
    if (lease != null) {
      connections.prologueSent(lease, wanted);
    }
    return lease;
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
    connections.lost(lease, "prologue refused: " + refused.getMessage());
    return refused;
  }

  @Override
  public Lease apart(String endpoint) {
    return connections.apart(endpoints.apply(endpoint));
  }

  @Override
  public SessionSettings settings() {
    return wanted;
  }

  @Override
  public void completed(Lease lease, int statusFlags) {
    connections.completed(lease, statusFlags);
  }

  @Override
  public void pin(Lease lease, Pin pin) {
    connections.pins().pin(lease, pin);
  }

  @Override
  public void droppedTemporaryTable(Lease lease) {
    connections.pins().droppedTemporaryTables(lease, 1);
  }

  @Override
  public void failed(Lease lease, int errno) {
    // what was due in front of a statement that was not sent counts as sent
    if (!connections.mayHaveLeft(lease, errno) && !lease.shard().hasPrologue()) {
      connections.failed(lease, errno);
      return;
    }
    try {
      connections.failed(lease, errno, Commands.run(lease, "DO 0").statusFlags());
    } catch (ShardException broken) {
      connections.lost(lease, "it did not tell what error " + errno + " has left");
    }
  }

  @Override
  public RefusedException lost(Lease lease, String reason) {
    return connections.lost(lease, reason);
  }

  @Override
  public boolean holdLocks() {
    return connections.pins().any(Pin.LOCK_TABLES);
  }

  @Override
  public boolean isInTransaction() {
    return open.state.isOpen();
  }

  @Override
  public boolean keeps(Lease lease) {
    return isInTransaction() || connections.pins().bind(lease);
  }

  @Override
  public void setting(String name, String value) {
    wanted = wanted.with(name, value);
  }

  @Override
  public boolean isInUnit() {
    return open.state.isStatement();
  }

  @Override
  public void beginAtomic() {
    open.tellEnded();
    savepointDue = open.state.isOpen();
    if (!savepointDue) {
      open.state.beginStatement();
    }
  }

  @Override
  public void beginCommitting() {
    open.tellEnded();
    savepointDue = false;
    open.state.beginStatement();
  }

  @Override
  public void commitAtomic() {
    savepointDue = false;
    marked.clear();
    if (open.state.isStatement()) {
      open.commit(false);
    }
  }

  @Override
  public void rollbackAtomic() {
    savepointDue = false;
    if (open.state.isStatement()) {
      open.rollback(false);
      return;
    }
    for (Lease lease : List.copyOf(marked)) {
      if (open.held.takesPart(lease)) {
        undo(lease);
      }
    }
    marked.clear();
    connections.rollBackGivenUp();
  }

  private void undo(Lease lease) {
    try {
      Commands.run(lease, UNDO);
    } catch (ShardException failure) {
      connections.lost(lease, "statement could not be undone: " + failure.getMessage());
    }
  }
}
