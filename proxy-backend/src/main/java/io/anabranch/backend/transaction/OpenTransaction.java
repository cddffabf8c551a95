package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.backend.transaction.commit.Endings;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoop;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is open where: a session's transaction on the connections that take part in it, from the
 * first that joins to its end. Shared by {@link SessionTransaction}, which says what the client
 * wants, and {@link SessionConnections}, which runs statements. Not thread-safe.
 */
final class OpenTransaction {

  final TransactionState state = new TransactionState();
  final Participants held = new Participants();

  private final Executor background;

  /** Leases of the running statement whose transaction was given up under it. */
  private final Set<Lease> givenUp = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Told of the next transaction in front of a statement outside of any. */
  private final Set<Lease> told = Collections.newSetFromMap(new IdentityHashMap<>());

  private Coordinator wanted;
  private Coordinator coordinator;
  private @Nullable String global;
  private int branches;
  private boolean endingRelayed;
  private List<List<String>> warned = List.of();

  /** {@link System#nanoTime}; {@link Long#MIN_VALUE}: none is open. Read by other threads, too. */
  private volatile long openedAt = Long.MIN_VALUE;

  /** Told to every statement once it is set. */
  private @Nullable RefusedException stateLost;

  /**
   * Why the client's transaction is gone without its doing: told to every statement until the
   * client ends the transaction that it believes in.
   */
  private @Nullable RefusedException gone;

  /**
   * @param background runs rollbacks that nobody waits for; a thread each, they block
   */
  OpenTransaction(Coordinator coordinator, Executor background) {
    this.wanted = coordinator;
    this.coordinator = coordinator;
    this.background = background;
  }

  // ---------------------------------------------------------------- beginning

  /** Who ends the transactions that begin from now on. */
  void coordinator(Coordinator of) {
    wanted = of;
  }

  void begin(TransactionOptions options, SessionSettings settings) {
    requireNotOpened();
    gone = null;
    state.begin(options, settings);
  }

  void requireNotOpened() {
    if (held.hasOpened()) {
      throw new IllegalStateException("a transaction is open");
    }
  }

  /** A statement takes its first connection. */
  void statementBegins() {
    if (!givenUp.isEmpty()) {
      givenUp.clear();
    }
  }

  /**
   * What the session holds of the data source already.
   *
   * @throws RefusedException if the statement cannot be part of the transaction
   */
  @Nullable Participant admit(LeaseDesk desk, String dataSource, Access access) {
    // whose server is gone has ended the session, whatever the next statement is about
    loseStates(participant -> participant.lease.isLost(), "the server closed the connection");
    tellEnded();
    Participant participant = held.find(desk, dataSource);
    if (participant != null && participant.lease.isLost() && participant.yields()) {
      drop(participant);
      participant.lease.discard("the server closed the connection");
      participant = null;
    }
    if (state.takeMayEnd() && !coordinator.isAtomic() && held.changesElsewhere(participant)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "CALL, which may commit its own part, in a LOCAL transaction that has changed other data"
              + " sources",
          "call the procedure first, or SET transaction_type = 'XA'");
    }
    if (access == Access.WRITE && state.joins()) {
      boolean isPlain = state.options().consistentSnapshot() && coordinator.isAtomic();
      if (isPlain && held.changesElsewhere(participant)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "changing several data sources in one XA transaction WITH CONSISTENT SNAPSHOT",
            "begin it without a snapshot");
      }
      if (participant != null) {
        participant.willChange();
      }
    }
    return participant;
  }

  /** A fresh connection is kept if a transaction is open. */
  void join(LeaseDesk desk, Lease lease, Access access) {
    if (state.joins()) {
      Participant participant = held.hold(desk, lease);
      if (access == Access.WRITE) {
        participant.willChange();
      }
    }
  }

  /**
   * BEGIN or XA START and the savepoints so far are due on the connection.
   *
   * @param settings what it has by then
   */
  void open(Participant participant, SessionSettings settings) {
    if (!held.hasOpened()) {
      state.open(settings);
      openedAt = System.nanoTime();
      coordinator = wanted;
      global = state.options().consistentSnapshot() ? null : coordinator.newTransaction();
      branches = 0;
    }
    String name = global;
    if (participant.pins.contains(Pin.LOCK_TABLES) && !state.isExplicit()) {
      participant.openLocked();
    } else {
      state.asBegun(settings).forEach(participant::queue);
      Xid xid = name == null ? null : Xid.of(name, ++branches, participant.lease.dataSource());
      participant.open(state.options(), xid);
    }
    state.savepoints().commands().forEach(participant::queue);
  }

  /** When its first connection was opened; see {@link io.anabranch.backend.lease.Lessee#since}. */
  long openedAt() {
    return openedAt;
  }

  boolean isOpenFor(long nanos) {
    return held.hasOpened() && System.nanoTime() - openedAt >= nanos;
  }

  // ---------------------------------------------------------------- statements outside

  /** SET TRANSACTION goes in front of a statement that is outside of any transaction. */
  void tellOfNext(Lease lease) {
    told.add(lease);
  }

  /**
   * The statement has run. A connection that was told of the next transaction is closed: a
   * statement that failed early, or whose tables know no transactions, leaves it to the next.
   *
   * @param isUsedUp whether the statement was that transaction
   */
  void release(Lease lease, boolean isUsedUp) {
    if (!told.isEmpty() && told.remove(lease)) {
      if (isUsedUp) {
        state.nextUsedUp();
      }
      lease.discard("it may still have what SET TRANSACTION said");
    } else {
      lease.release();
    }
  }

  /** As {@link #release}, of a connection that the session keeps: it is closed when it lets go. */
  void ran(Participant participant, boolean isUsedUp) {
    if (!told.isEmpty() && told.remove(participant.lease)) {
      participant.mayExpectOther();
      if (isUsedUp) {
        state.nextUsedUp();
      }
    }
  }

  // ---------------------------------------------------------------- ending

  /** The client's COMMIT or ROLLBACK is about to be relayed on the only participant. */
  void endingRelayed() {
    endingRelayed = true;
  }

  /** Whether the statement that is answered now was such a COMMIT or ROLLBACK. */
  boolean takeEnding() {
    boolean wasEnding = endingRelayed;
    endingRelayed = false;
    return wasEnding;
  }

  /** Whether the transaction can be ended without a thread that waits. */
  boolean endsOn(EventLoop loop) {
    return held.areIdleOn(loop);
  }

  /**
   * Blocks if a connection takes part.
   *
   * @see SessionTransaction#commit
   */
  void commit(boolean chain) {
    tellEnded();
    List<Branch> branches;
    try {
      branches = held.flushOpened();
    } catch (ShardException failure) {
      finish(ended(coordinator.rollback(held.branches())));
      reset(false);
      throw failure;
    }
    committed(ended(coordinator.commit(branches)), chain);
  }

  private List<Coordinator.Ending> ended(CompletableFuture<List<Coordinator.Ending>> ending) {
    try {
      return ending.join();
    } catch (CompletionException mistake) {
      abandon();
      throw mistake.getCause() instanceof RuntimeException known ? known : mistake;
    }
  }

  /**
   * A mistake of the proxy's own on the way to the end: nobody knows how far it came. The
   * connections are closed, which ends what is not prepared; the rest is for the recovery.
   */
  void abandon() {
    var cause = new ShardException.Lost("internal error", true);
    finish(
        held.branches().stream()
            .map(branch -> new Coordinator.Ending(branch.lease(), State.UNKNOWN, cause))
            .toList());
    reset(false);
  }

  private void committed(List<Coordinator.Ending> endings, boolean chain) {
    boolean everywhere = finish(endings);
    reset(chain && everywhere);
    if (!everywhere) {
      throw Endings.failure(endings);
    }
  }

  /** Blocks if a connection takes part. */
  void rollback(boolean chain) {
    rolledBack(ended(coordinator.rollback(held.branches())), chain);
  }

  private void rolledBack(List<Coordinator.Ending> endings, boolean chain) {
    finish(endings);
    reset(chain);
  }

  /** What databases say that the transaction has left behind: told once. */
  List<List<String>> takeWarned() {
    List<List<String>> told = warned;
    warned = List.of();
    return told;
  }

  /**
   * The same, waiting for nothing; only where {@link #endsOn} holds.
   *
   * @return completed by the last answer, on whatever thread: what is left to be done on the event
   *     loop, which throws as {@link #commit} does
   */
  CompletableFuture<Runnable> end(boolean commit, boolean chain) {
    if (commit) {
      return coordinator
          .commit(held.branches())
          .thenApply(endings -> () -> committed(endings, chain));
    }
    return coordinator
        .rollback(held.branches())
        .thenApply(endings -> () -> rolledBack(endings, chain));
  }

  /** The only participant's database has ended it, or what begins next knows nothing of it. */
  void forget(boolean chain) {
    state.end(chain);
    openedAt = Long.MIN_VALUE;
    global = null;
    endingRelayed = false;
  }

  /** Rolls back in the background; the session is out of the transaction at once. */
  void giveUp() {
    List<Branch> taken = held.takeOpened();
    Coordinator of = coordinator;
    forget(false);
    if (!taken.isEmpty()) {
      taken.forEach(branch -> givenUp.add(branch.lease()));
      background.execute(() -> Endings.letGo(of.rollback(taken).join()));
    }
  }

  /** Whether the running statement's connection went with a transaction that was given up. */
  boolean hasGivenUp(Lease lease) {
    return !givenUp.isEmpty() && givenUp.contains(lease);
  }

  /** As {@link #giveUp}; a client that has not ended it is told by each statement until it does. */
  void lose(RefusedException why) {
    giveUp();
    gone = why;
  }

  /** Whether the client's transaction is gone and it has not said ROLLBACK since. */
  boolean isGone() {
    return gone != null;
  }

  /** Lets the connections go; true if all committed. */
  private boolean finish(List<Coordinator.Ending> endings) {
    warned = Endings.warnings(endings);
    boolean everywhere = true;
    for (Coordinator.Ending ending : endings) {
      everywhere &= ending.state() == Coordinator.State.COMMITTED;
      Participant participant = held.find(ending.lease());
      if (participant == null) {
        continue;
      }
      participant.ended();
      if (ending.isBroken()) {
        drop(participant);
        ending.lease().discard("transaction could not be ended: " + ending.cause());
      }
    }
    return everywhere;
  }

  private void reset(boolean chain) {
    forget(chain);
    held.letGoAll();
  }

  // ---------------------------------------------------------------- loss

  /** The connection is closed, with whatever the session had there. */
  void drop(Participant participant) {
    held.remove(participant);
    if (participant.hasState()) {
      loseState(participant.lease.dataSource());
    }
  }

  /** Closes such connections that have what the session cannot have again. */
  void loseStates(Predicate<Participant> such, String reason) {
    for (Participant participant : held.stateful()) {
      if (such.test(participant)) {
        drop(participant);
        participant.lease.discard(reason);
      }
    }
  }

  /** What the session had on a connection to the data source is gone, or known to nobody. */
  void loseState(String dataSource) {
    loseState(ErrorCatalogue.SESSION_STATE_LOST.refuse(dataSource));
  }

  /** The same, where {@code why} is what the session is told of it. */
  void loseState(RefusedException why) {
    if (stateLost == null) {
      stateLost = why;
    }
  }

  /** What every statement is told from now on; null: nothing. */
  @Nullable RefusedException stateLost() {
    return stateLost;
  }

  /**
   * @throws RefusedException if the client's transaction, or what its session had, is gone
   */
  void tellEnded() {
    if (stateLost != null) {
      throw stateLost;
    }
    if (gone != null) {
      throw gone;
    }
  }

  /**
   * The client ends its transaction.
   *
   * @throws RefusedException if it commits one that is gone: it is over then, too
   */
  void clientEnds(boolean commit) {
    try {
      if (commit) {
        tellEnded();
      }
    } finally {
      gone = null;
    }
  }
}
