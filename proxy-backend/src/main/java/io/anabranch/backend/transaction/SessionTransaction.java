package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.backend.pool.SettingsReplay;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.TransactionMembers;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one session and the connections that the session holds.
 *
 * <p>A connection joins when a statement first goes to its data source; BEGIN (or XA START) and the
 * savepoints so far are then due in front of that statement ({@link #prologue}). Outside a
 * transaction a lease lasts for one statement. A pinned connection is kept until the session ends
 * or unpins it.
 *
 * <p>The relay lane calls {@link #lease}, {@link #prologue}, {@link #prologueSent} and then one of
 * {@link #completed}, {@link #failed}, {@link #lost}, all on the event loop; the merge lane goes
 * through {@link #leases}. Only methods that say so block; those belong on a virtual thread. Not
 * thread-safe: a session runs one command at a time, and {@link #close} comes after the last.
 */
public final class SessionTransaction {

  /** How long a snapshot waits for commits. */
  private static final long SNAPSHOT_MILLISECONDS = 10_000;

  private final Supplier<LeaseDesk> desks;
  private final boolean foundRows;
  private final EventLoop loop;
  private final Executor background;
  private final LeaseDesk.Commits commits;
  private final TransactionState state = new TransactionState();
  private final Participants held = new Participants();
  private final Set<Lease> givenUp = Collections.newSetFromMap(new IdentityHashMap<>());
  private Coordinator wanted;
  private Coordinator coordinator;
  private @Nullable String global;
  private int branches;
  private boolean endingRelayed;
  private boolean closed;

  /** Told to every statement once it is set. */
  private @Nullable RefusedException stateLost;

  private @Nullable RefusedException expired;
  private long openedAt;

  /**
   * @param desks the lease desk of the rule set that is in force when a lease is taken
   * @param foundRows the client negotiated CLIENT_FOUND_ROWS
   * @param coordinator of transactions until {@link #coordinator} says otherwise
   * @param background runs rollbacks that nobody waits for; a thread each, they block
   */
  public SessionTransaction(
      Supplier<LeaseDesk> desks,
      boolean foundRows,
      EventLoop loop,
      Coordinator coordinator,
      Executor background) {
    this(desks, foundRows, loop, coordinator, background, LeaseDesk.Commits.NOBODY);
  }

  /**
   * @param commits told of what is committed on the session's connections
   */
  public SessionTransaction(
      Supplier<LeaseDesk> desks,
      boolean foundRows,
      EventLoop loop,
      Coordinator coordinator,
      Executor background,
      LeaseDesk.Commits commits) {
    this.commits = commits;
    this.desks = desks;
    this.foundRows = foundRows;
    this.loop = loop;
    this.wanted = coordinator;
    this.coordinator = coordinator;
    this.background = background;
  }

  // ---------------------------------------------------------------- what the client is told

  /** Whether statements now belong to a transaction that COMMIT will end. */
  public boolean isOpen() {
    return state.isOpen();
  }

  public boolean isAutocommit() {
    return state.isAutocommit();
  }

  /** Whether the open transaction was begun READ ONLY. */
  public boolean isReadOnly() {
    return state.isReadOnly();
  }

  /** IN_TRANS, AUTOCOMMIT and IN_TRANS_READONLY, as this session's OK and EOF packets say. */
  public int statusFlags() {
    return state.statusFlags(hasOpened());
  }

  /** The members of read/write groups that the open transaction stays with; null outside. */
  public @Nullable TransactionMembers members() {
    return isOpen() ? state.members() : null;
  }

  /**
   * Whether connections stay with the session beyond a statement: in a transaction, or pinned. Not
   * those that only have cursors.
   */
  public boolean isHolding() {
    return held.bind();
  }

  /** Whether connections stay with the session for whatever reason. */
  public boolean hasConnections() {
    return !held.isEmpty();
  }

  /** Whether the connection stays with the session beyond the statement. */
  public boolean keeps(Lease lease) {
    return held.find(lease) != null;
  }

  /** Whether ending the transaction takes a word with a database: COMMIT, ROLLBACK then block. */
  public boolean hasOpened() {
    return held.hasOpened();
  }

  /**
   * The only connection in the transaction: COMMIT or ROLLBACK (without CHAIN or RELEASE) may then
   * be relayed on it as {@link #ending} says, like any other statement, prologue included. Null if
   * there is none or there are several.
   */
  public @Nullable Lease soleParticipant() {
    Participant sole = held.sole();
    return sole == null ? null : sole.lease;
  }

  // ---------------------------------------------------------------- transaction statements

  /** Who ends the transactions that begin from now on. */
  public void coordinator(Coordinator of) {
    wanted = of;
  }

  /**
   * BEGIN, START TRANSACTION. The caller has committed an open transaction before. Sends nothing;
   * WITH CONSISTENT SNAPSHOT is exact only when the caller then joins every data source ({@link
   * #snapshot}).
   */
  public void begin(TransactionOptions options) {
    if (hasOpened()) {
      throw new IllegalStateException("a transaction is open");
    }
    expired = null;
    state.begin(options);
  }

  /**
   * SET autocommit. Setting it while it is off ends the open transaction: the caller commits before
   * if {@link #hasOpened}.
   */
  public void autocommit(boolean on) {
    if (on && !isAutocommit()) {
      if (hasOpened()) {
        throw new IllegalStateException("a transaction is open");
      }
      forget(false);
    }
    state.autocommit(on);
  }

  /**
   * SET TRANSACTION without SESSION: for the next transaction only.
   *
   * @throws RefusedException 1568 while a transaction is open
   */
  public void setNext(TransactionOptions options) {
    state.setNext(options, hasOpened());
  }

  /** SAVEPOINT. Reaches the databases in front of their next statement. */
  public void savepoint(String name) {
    if (!isOpen()) {
      return;
    }
    state.savepoints().set(name);
    held.queueOnOpened("SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * ROLLBACK TO SAVEPOINT. Reaches the databases in front of their next statement.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void rollbackTo(String name) {
    if (!state.savepoints().rollbackTo(name)) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    held.queueOnOpened("ROLLBACK TO SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * RELEASE SAVEPOINT.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void releaseSavepoint(String name) {
    if (!state.savepoints().release(name)) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    held.queueOnOpened("RELEASE SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * What to relay on {@link #soleParticipant} for COMMIT or ROLLBACK; what goes in front of it is
   * then in the {@link #prologue}. It must be relayed at once.
   */
  public byte[] ending(boolean commit) {
    Participant sole = held.sole();
    if (sole == null) {
      throw new IllegalStateException("not one participant");
    }
    List<String> commands = commit ? sole.branch().commit() : sole.branch().rollback();
    commands.subList(0, commands.size() - 1).forEach(sole::queue);
    endingRelayed = true;
    return commands.getLast().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * COMMIT, and the implicit commit in front of DDL, BEGIN and the like. Blocks if {@link
   * #hasOpened}.
   *
   * @param chain AND CHAIN: a transaction with the same options begins at once
   * @throws RefusedException telling where it was committed and where not, if it was not
   *     everywhere; or that the transaction had been given up before
   * @throws ShardException.Database the database's own error if it was committed nowhere
   */
  public void commit(boolean chain) {
    tellExpired();
    List<Coordinator.Ending> endings;
    try {
      endings = coordinator.commit(held.flushOpened());
    } catch (ShardException failure) {
      finish(coordinator.rollback(held.branches()));
      reset(false);
      throw failure;
    }
    boolean everywhere = finish(endings);
    reset(chain && everywhere);
    if (!everywhere) {
      throw Endings.failure(endings);
    }
  }

  /**
   * Commits in front of a statement that commits implicitly, and keeps that statement, which must
   * be the next to take leases, out of any transaction. Blocks if {@link #hasOpened}.
   *
   * @throws RuntimeException as {@link #commit}
   */
  public void commitBeforeDdl() {
    commit(false);
    state.beginDdl();
  }

  /**
   * ROLLBACK. Blocks if {@link #hasOpened}. A connection that does not answer is closed, which
   * rolls back as well.
   */
  public void rollback(boolean chain) {
    expired = null;
    finish(coordinator.rollback(held.branches()));
    reset(chain);
  }

  // ---------------------------------------------------------------- leases

  /** A lease for one statement that may do anything. */
  public void lease(String dataSource, LeaseDesk.Callback callback) {
    lease(dataSource, Access.WRITE, callback);
  }

  /**
   * A lease for one statement. Does not block; the callback runs on the event loop, at once where
   * the session holds the connection already.
   *
   * @param dataSource an actual data source
   */
  public void lease(String dataSource, Access access, LeaseDesk.Callback callback) {
    givenUp.clear();
    LeaseDesk desk = desks.get();
    Participant participant;
    try {
      participant = admit(desk, dataSource, access);
    } catch (RefusedException refusal) {
      state.leaveDdl();
      callback.leased(null, refusal);
      return;
    }
    if (participant != null) {
      callback.leased(participant.lease, null);
      return;
    }
    desk.lease(
        new LeaseDesk.Request(dataSource, foundRows, loop, commits),
        (lease, refusal) -> {
          if (lease != null && closed) {
            lease.release();
            callback.leased(null, ErrorCatalogue.BACKEND_LOST.refuse(dataSource));
            return;
          }
          if (lease == null) {
            state.leaveDdl();
          } else {
            hold(desk, lease, access);
          }
          callback.leased(lease, refusal);
        });
  }

  /** The same, waiting on the calling virtual thread. */
  public Lease leaseBlocking(String dataSource, Access access) {
    givenUp.clear();
    LeaseDesk desk = desks.get();
    try {
      Participant participant = admit(desk, dataSource, access);
      if (participant != null) {
        return participant.lease;
      }
      Lease lease = desk.leaseBlocking(new LeaseDesk.Request(dataSource, foundRows, loop, commits));
      hold(desk, lease, access);
      return lease;
    } catch (RefusedException refusal) {
      state.leaveDdl();
      throw refusal;
    }
  }

  /** A lease that the session does not hold, whatever transaction is open; waits like the above. */
  Lease apart(String dataSource) {
    return desks.get().leaseBlocking(new LeaseDesk.Request(dataSource, foundRows, loop, commits));
  }

  /**
   * Joins data sources to the transaction that has just begun WITH CONSISTENT SNAPSHOT: connections
   * are taken first, then all snapshots are opened between the commits of other transactions.
   * Blocks. If it fails the transaction is rolled back.
   *
   * @throws RefusedException if connections or a moment between commits were not to be had
   */
  public void snapshot(
      Collection<String> dataSources, SessionSettings settings, CommitBarrier barrier) {
    var ordered = new TreeSet<>(dataSources);
    StatementLeases leases = leases(name -> name, Access.READ, settings);
    try {
      for (String dataSource : ordered) {
        leaseBlocking(dataSource, Access.READ);
      }
      barrier.snapshot(() -> ordered.forEach(leases::ready), SNAPSHOT_MILLISECONDS);
    } catch (RuntimeException failure) {
      rollback(false);
      throw failure;
    }
  }

  /**
   * What must run on the connection in front of the next statement, in the same packet train:
   * differing settings, BEGIN or XA START, savepoints. Empty most times.
   */
  public List<byte[]> prologue(Lease lease, SessionSettings settings) {
    List<byte[]> replay = SettingsReplay.difference(lease.applied(), settings);
    Participant participant = held.find(lease);
    if (participant != null && !participant.isOpened() && state.joins()) {
      open(participant);
    }
    List<byte[]> pending = participant == null ? List.of() : participant.pending();
    List<String> once = state.forOneStatement();
    if (pending.isEmpty() && once.isEmpty()) {
      return replay;
    }
    var all = new ArrayList<byte[]>(replay.size() + pending.size() + once.size());
    all.addAll(replay);
    all.addAll(pending);
    once.forEach(command -> all.add(command.getBytes(StandardCharsets.UTF_8)));
    return all;
  }

  /** The prologue has been answered with OK throughout. */
  public void prologueSent(Lease lease, SessionSettings settings) {
    lease.applied(settings);
    Participant participant = held.find(lease);
    if (participant != null) {
      participant.sent();
    }
  }

  /** The connections of one merge-lane statement that may do anything. */
  public StatementLeases leases(UnaryOperator<String> endpoints, SessionSettings settings) {
    return leases(endpoints, Access.WRITE, settings);
  }

  /** The connections of one merge-lane statement. */
  public StatementLeases leases(
      UnaryOperator<String> endpoints, Access access, SessionSettings settings) {
    return new TransactionLeases(this, endpoints, access, settings);
  }

  /** The connection has got state that cannot be replayed: it stays with the session. */
  public void pin(Lease lease, Pin pin) {
    Participant participant = held.find(lease);
    if (participant == null) {
      participant = held.hold(desks.get(), lease);
    }
    participant.pins.add(pin);
  }

  /** Whether some connection has such state. */
  public boolean isPinned(Pin pin) {
    return held.arePinned(pin);
  }

  /** The state is gone from one connection, which no command runs on. */
  public void unpin(Lease lease, Pin pin) {
    held.unpin(lease, pin);
  }

  /** The state is gone, on all connections: UNLOCK TABLES, RELEASE_ALL_LOCKS. */
  public void unpin(Pin pin) {
    held.unpin(pin);
  }

  // ---------------------------------------------------------------- after a statement

  /**
   * The statement has been answered without error.
   *
   * @param backendStatus flags of its last OK or EOF packet: a transaction that the database opened
   *     or ended on its own is noticed by them
   */
  public void completed(Lease lease, int backendStatus) {
    state.leaveDdl();
    endingRelayed = false;
    if (givenUp.contains(lease)) {
      return;
    }
    boolean inTransaction = (backendStatus & TransactionState.IN_TRANSACTION) != 0;
    Participant participant = held.find(lease);
    if (participant == null) {
      state.statementEnded();
      if (!inTransaction) {
        lease.release();
        return;
      }
      participant = held.hold(desks.get(), lease);
    }
    if (state.isStatement()) {
      return;
    }
    if (inTransaction && !participant.isOpened()) {
      participant.adopt();
      state.adopt();
    } else if (!inTransaction && participant.isOpened()) {
      participant.ended();
      if (!hasOpened()) {
        forget(false);
      }
    }
    held.letGo(participant);
  }

  /**
   * The database answered with an error. If that ended the transaction there (deadlock), or the
   * statement was its end, it is rolled back everywhere.
   *
   * @param errno 0 if the statement did not get that far on this connection
   */
  public void failed(Lease lease, int errno) {
    state.leaveDdl();
    boolean wasEnding = endingRelayed;
    endingRelayed = false;
    if (givenUp.contains(lease)) {
      return;
    }
    Participant participant = held.find(lease);
    if (participant == null) {
      state.statementEnded();
      lease.release();
      return;
    }
    boolean isOver = ShardException.Database.endsTransaction(errno);
    if (participant.isOpened() && (isOver || wasEnding)) {
      if (isOver && participant.branch().xid() == null) {
        participant.ended();
      }
      giveUp();
    }
    if (!state.isStatement()) {
      held.letGo(participant);
    }
  }

  /**
   * The connection broke, or was left in the middle of an answer. It is closed; a transaction it
   * took part in is rolled back everywhere.
   *
   * @return what to tell the client
   */
  public RefusedException lost(Lease lease, String reason) {
    state.leaveDdl();
    boolean wasEnding = endingRelayed;
    endingRelayed = false;
    lease.discard(reason);
    Participant participant = held.find(lease);
    boolean tookPart = participant != null && participant.isOpened();
    if (participant != null) {
      drop(participant);
    }
    boolean loses = tookPart && !state.isStatement();
    if (tookPart) {
      giveUp();
    }
    if (loses && wasEnding) {
      return ErrorCatalogue.COMMIT_UNKNOWN.refuse(lease.dataSource());
    }
    if (stateLost != null) {
      return stateLost;
    }
    return loses
        ? ErrorCatalogue.TRANSACTION_LOST.refuse(lease.dataSource())
        : ErrorCatalogue.BACKEND_LOST.refuse(lease.dataSource());
  }

  /**
   * The statement had no effect, and the open transaction, if there is one, has sent nothing else:
   * it is as if the statement had not been sent.
   */
  public void retract(Lease lease, String reason) {
    state.leaveDdl();
    Participant participant = held.find(lease);
    if (participant == null) {
      lease.release();
    } else {
      drop(participant);
      lease.discard(reason);
    }
  }

  /**
   * Whether a connection broke that had what the session cannot have again: temporary tables,
   * locks. Statements that need a database are refused from then on; the client has to connect
   * anew.
   */
  public boolean isStateLost() {
    return stateLost != null;
  }

  /** Whether databases have had it open for that long. */
  public boolean isOpenFor(long nanos) {
    return hasOpened() && System.nanoTime() - openedAt >= nanos;
  }

  /**
   * The transaction has been open for too long: it is rolled back in the background, and the next
   * statement but ROLLBACK and BEGIN is told so. Called between two commands.
   */
  public void expire(RefusedException why) {
    if (hasOpened()) {
      giveUp();
      expired = why;
    }
  }

  /**
   * The session is over: everything is rolled back at once, in the background; pinned connections
   * are closed.
   */
  public void close() {
    closed = true;
    giveUp();
    held.discardAll();
  }

  // ---------------------------------------------------------------- units of one statement

  /** Whether it becomes a transaction of its own; otherwise it is part of the open one. */
  boolean beginStatement() {
    if (isOpen()) {
      return false;
    }
    state.beginStatement();
    return true;
  }

  boolean inStatement() {
    return state.isStatement();
  }

  boolean isOpenedOn(Lease lease) {
    Participant participant = held.find(lease);
    return participant != null && participant.isOpened();
  }

  // ---------------------------------------------------------------- inside

  /**
   * What the session holds of the data source already.
   *
   * @throws RefusedException if the statement cannot be part of the transaction
   */
  private @Nullable Participant admit(LeaseDesk desk, String dataSource, Access access) {
    tellExpired();
    Participant participant = held.find(desk, dataSource);
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

  private void hold(LeaseDesk desk, Lease lease, Access access) {
    if (state.joins()) {
      Participant participant = held.hold(desk, lease);
      if (access == Access.WRITE) {
        participant.willChange();
      }
    }
  }

  private void open(Participant participant) {
    state.openImplied();
    if (!hasOpened()) {
      openedAt = System.nanoTime();
      coordinator = wanted;
      global = state.options().consistentSnapshot() ? null : coordinator.newTransaction();
      branches = 0;
    }
    String name = global;
    Xid xid = name == null ? null : Xid.of(name, ++branches, participant.lease.dataSource());
    participant.open(state.options(), xid);
    state.savepoints().commands().forEach(participant::queue);
  }

  /** The connection is closed. */
  private void drop(Participant participant) {
    held.remove(participant);
    if (participant.hasState() && stateLost == null) {
      stateLost = ErrorCatalogue.SESSION_STATE_LOST.refuse(participant.lease.dataSource());
    }
  }

  private void tellExpired() {
    if (stateLost != null) {
      throw stateLost;
    }
    RefusedException told = expired;
    if (told != null) {
      expired = null;
      throw told;
    }
  }

  /** Lets the connections go; true if all committed. */
  private boolean finish(List<Coordinator.Ending> endings) {
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

  private void forget(boolean chain) {
    state.end(chain);
    global = null;
    endingRelayed = false;
  }

  /** Rolls back in the background; the session is out of the transaction at once. */
  private void giveUp() {
    List<Branch> taken = held.takeOpened();
    Coordinator of = coordinator;
    forget(false);
    if (!taken.isEmpty()) {
      taken.forEach(branch -> givenUp.add(branch.lease()));
      background.execute(() -> Endings.letGo(of.rollback(taken)));
    }
  }
}
