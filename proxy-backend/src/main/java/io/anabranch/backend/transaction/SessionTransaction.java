package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.backend.pool.SettingsReplay;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.TransactionMembers;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one session and the connections that the session holds.
 *
 * <p>A connection joins when a statement first goes to its data source; BEGIN and the savepoints so
 * far are then due in front of that statement ({@link #prologue}). Outside a transaction a lease
 * lasts for one statement. A pinned connection is kept until the session ends or unpins it.
 *
 * <p>The relay lane calls {@link #lease}, {@link #prologue}, {@link #prologueSent} and then one of
 * {@link #completed}, {@link #failed}, {@link #lost}, all on the event loop; the merge lane goes
 * through {@link #leases}. Only methods that say so block; those belong on a virtual thread. Not
 * thread-safe: a session runs one command at a time, and {@link #close} comes after the last.
 */
public final class SessionTransaction {

  private static final int STATUS_IN_TRANSACTION = 0x0001;
  private static final int STATUS_AUTOCOMMIT = 0x0002;
  private static final int STATUS_IN_READ_ONLY_TRANSACTION = 0x2000;

  private enum Phase {
    /** No transaction but what autocommit=0 implies. */
    NONE,
    /** After BEGIN. */
    EXPLICIT,
    /** One statement that is a transaction of its own on several data sources. */
    STATEMENT,
    /** One statement that commits by itself, whatever autocommit says: it joins nothing. */
    DDL
  }

  private final Supplier<LeaseDesk> desks;
  private final boolean foundRows;
  private final EventLoop loop;
  private final Coordinator coordinator;
  private final Executor background;
  private final List<Participant> held = new ArrayList<>();
  private final TransactionMembers members = new TransactionMembers();
  private final Set<Lease> givenUp = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Savepoints savepoints = new Savepoints();
  private Phase phase = Phase.NONE;
  private boolean autocommit = true;
  private boolean closed;
  private TransactionOptions options = TransactionOptions.DEFAULT;
  private TransactionOptions next = TransactionOptions.DEFAULT;

  /**
   * @param desks the lease desk of the rule set that is in force when a lease is taken
   * @param foundRows the client negotiated CLIENT_FOUND_ROWS
   * @param background runs rollbacks that nobody waits for; a thread each, they block
   */
  public SessionTransaction(
      Supplier<LeaseDesk> desks,
      boolean foundRows,
      EventLoop loop,
      Coordinator coordinator,
      Executor background) {
    this.desks = desks;
    this.foundRows = foundRows;
    this.loop = loop;
    this.coordinator = coordinator;
    this.background = background;
  }

  // ---------------------------------------------------------------- what the client is told

  /** Whether statements now belong to a transaction that COMMIT will end. */
  public boolean isOpen() {
    return phase == Phase.EXPLICIT || (phase == Phase.NONE && !autocommit);
  }

  public boolean isAutocommit() {
    return autocommit;
  }

  /** Whether the open transaction was begun READ ONLY. */
  public boolean isReadOnly() {
    return phase == Phase.EXPLICIT && options.isReadOnly();
  }

  /** IN_TRANS, AUTOCOMMIT and IN_TRANS_READONLY, as this session's OK and EOF packets say. */
  public int statusFlags() {
    int flags = autocommit ? STATUS_AUTOCOMMIT : 0;
    if (phase == Phase.EXPLICIT || (phase == Phase.NONE && !autocommit && hasOpened())) {
      flags |= STATUS_IN_TRANSACTION;
      flags |= options.isReadOnly() ? STATUS_IN_READ_ONLY_TRANSACTION : 0;
    }
    return flags;
  }

  /** The members of read/write groups that the open transaction stays with; null outside. */
  public @Nullable TransactionMembers members() {
    return isOpen() ? members : null;
  }

  /** Whether connections stay with the session beyond a statement: in a transaction, or pinned. */
  public boolean isHolding() {
    return !held.isEmpty();
  }

  /** Whether ending the transaction takes a word with a database: COMMIT, ROLLBACK then block. */
  public boolean hasOpened() {
    for (Participant participant : held) {
      if (participant.isOpened()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The only connection in the transaction: COMMIT or ROLLBACK (without CHAIN or RELEASE) may then
   * be relayed on it like any other statement, prologue included. Null if there is none or there
   * are several.
   */
  public @Nullable Lease soleParticipant() {
    Lease sole = null;
    for (Participant participant : held) {
      if (participant.isOpened()) {
        if (sole != null) {
          return null;
        }
        sole = participant.lease;
      }
    }
    return sole;
  }

  // ---------------------------------------------------------------- transaction statements

  /**
   * BEGIN, START TRANSACTION. The caller has committed an open transaction before. Sends nothing;
   * WITH CONSISTENT SNAPSHOT is exact only when the caller then joins every data source ({@link
   * #join}).
   */
  public void begin(TransactionOptions wanted) {
    if (hasOpened()) {
      throw new IllegalStateException("a transaction is open");
    }
    savepoints.clear();
    options = wanted.over(next);
    next = TransactionOptions.DEFAULT;
    phase = Phase.EXPLICIT;
  }

  /**
   * SET autocommit. Setting it while it is off ends the open transaction: the caller commits before
   * if {@link #hasOpened}.
   */
  public void autocommit(boolean on) {
    if (on && !autocommit && hasOpened()) {
      throw new IllegalStateException("a transaction is open");
    }
    autocommit = on;
  }

  /**
   * SET TRANSACTION without SESSION: for the next transaction only.
   *
   * @throws RefusedException 1568 while a transaction is open
   */
  public void setNext(TransactionOptions wanted) {
    if (phase == Phase.EXPLICIT || hasOpened()) {
      throw ErrorCatalogue.TRANSACTION_IN_PROGRESS.refuse();
    }
    next = wanted.over(next);
  }

  /** SAVEPOINT. Reaches the databases in front of their next statement. */
  public void savepoint(String name) {
    if (!isOpen()) {
      return;
    }
    savepoints.set(name);
    queueOnOpened("SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * ROLLBACK TO SAVEPOINT. Reaches the databases in front of their next statement.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void rollbackTo(String name) {
    if (!savepoints.rollbackTo(name)) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    queueOnOpened("ROLLBACK TO SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * RELEASE SAVEPOINT.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void releaseSavepoint(String name) {
    if (!savepoints.release(name)) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    queueOnOpened("RELEASE SAVEPOINT " + Savepoints.quoted(name));
  }

  /**
   * COMMIT, and the implicit commit in front of DDL, BEGIN and the like. Blocks if {@link
   * #hasOpened}.
   *
   * @param chain AND CHAIN: a transaction with the same options begins at once
   * @throws RefusedException telling where it was committed and where not, if it was not everywhere
   * @throws ShardException.Database the database's own error if it was committed nowhere
   */
  public void commit(boolean chain) {
    List<Coordinator.Ending> endings;
    try {
      endings = coordinator.commit(flushOpened());
    } catch (ShardException failure) {
      finish(coordinator.rollback(opened()));
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
    phase = Phase.DDL;
  }

  /**
   * ROLLBACK. Blocks if {@link #hasOpened}. A connection that does not answer is closed, which
   * rolls back as well.
   */
  public void rollback(boolean chain) {
    finish(coordinator.rollback(opened()));
    reset(chain);
  }

  // ---------------------------------------------------------------- leases

  /**
   * A lease for one statement. Does not block; the callback runs on the event loop, at once where
   * the session holds the connection already.
   *
   * @param dataSource an actual data source
   */
  public void lease(String dataSource, LeaseDesk.Callback callback) {
    givenUp.clear();
    LeaseDesk desk = desks.get();
    Participant participant = find(desk, dataSource);
    if (participant != null) {
      callback.leased(participant.lease, null);
      return;
    }
    desk.lease(
        new LeaseDesk.Request(dataSource, foundRows, loop),
        (lease, refusal) -> {
          if (lease != null && closed) {
            lease.release();
            callback.leased(null, ErrorCatalogue.BACKEND_LOST.refuse(dataSource));
            return;
          }
          if (lease == null) {
            leaveDdl();
          } else {
            hold(desk, lease);
          }
          callback.leased(lease, refusal);
        });
  }

  /** The same, waiting on the calling virtual thread. */
  public Lease leaseBlocking(String dataSource) {
    givenUp.clear();
    LeaseDesk desk = desks.get();
    Participant participant = find(desk, dataSource);
    if (participant != null) {
      return participant.lease;
    }
    try {
      Lease lease = desk.leaseBlocking(new LeaseDesk.Request(dataSource, foundRows, loop));
      hold(desk, lease);
      return lease;
    } catch (RefusedException refusal) {
      leaveDdl();
      throw refusal;
    }
  }

  /** A lease that the session does not hold, whatever transaction is open; waits like the above. */
  Lease apart(String dataSource) {
    return desks.get().leaseBlocking(new LeaseDesk.Request(dataSource, foundRows, loop));
  }

  /** Joins data sources to the open transaction at once: WITH CONSISTENT SNAPSHOT. Blocks. */
  public void join(Collection<String> dataSources, SessionSettings wanted) {
    StatementLeases leases = leases(name -> name, wanted);
    for (String dataSource : dataSources) {
      leases.ready(dataSource);
    }
  }

  /**
   * What must run on the connection in front of the next statement, in the same packet train:
   * differing settings, BEGIN, savepoints. Empty most times.
   */
  public List<byte[]> prologue(Lease lease, SessionSettings wanted) {
    List<byte[]> settings = SettingsReplay.difference(lease.applied(), wanted);
    Participant participant = find(lease);
    if (participant != null && !participant.isOpened() && inTransaction()) {
      if (phase == Phase.NONE) {
        options = next.over(TransactionOptions.DEFAULT);
      }
      participant.open(coordinator.opening(options));
      savepoints.commands().forEach(participant::queue);
    }
    List<byte[]> pending = participant == null ? List.of() : participant.pending();
    List<String> once = inTransaction() ? List.of() : next.forOneStatement();
    if (pending.isEmpty() && once.isEmpty()) {
      return settings;
    }
    var all = new ArrayList<byte[]>(settings.size() + pending.size() + once.size());
    all.addAll(settings);
    all.addAll(pending);
    once.forEach(command -> all.add(command.getBytes(StandardCharsets.UTF_8)));
    return all;
  }

  /** The prologue has been answered with OK throughout. */
  public void prologueSent(Lease lease, SessionSettings wanted) {
    lease.applied(wanted);
    Participant participant = find(lease);
    if (participant != null) {
      participant.sent();
    }
  }

  /** The connections of one merge-lane statement. */
  public StatementLeases leases(UnaryOperator<String> endpoints, SessionSettings wanted) {
    return new TransactionLeases(this, endpoints, wanted);
  }

  /** The connection has got state that cannot be replayed: it stays with the session. */
  public void pin(Lease lease, Pin pin) {
    Participant participant = find(lease);
    if (participant == null) {
      participant = new Participant(desks.get(), lease);
      held.add(participant);
    }
    participant.pins.add(pin);
  }

  /** The state is gone, on all connections: UNLOCK TABLES, RELEASE_ALL_LOCKS. */
  public void unpin(Pin pin) {
    for (Participant participant : List.copyOf(held)) {
      if (participant.pins.remove(pin)) {
        letGo(participant);
      }
    }
  }

  // ---------------------------------------------------------------- after a statement

  /**
   * The statement has been answered without error.
   *
   * @param backendStatus flags of its last OK or EOF packet: a transaction that the database opened
   *     or ended on its own is noticed by them
   */
  public void completed(Lease lease, int backendStatus) {
    leaveDdl();
    if (givenUp.contains(lease)) {
      return;
    }
    boolean inTransaction = (backendStatus & STATUS_IN_TRANSACTION) != 0;
    Participant participant = find(lease);
    if (participant == null) {
      next = inTransaction() ? next : TransactionOptions.DEFAULT;
      if (!inTransaction) {
        lease.release();
        return;
      }
      participant = new Participant(desks.get(), lease);
      held.add(participant);
    }
    if (phase == Phase.STATEMENT) {
      return;
    }
    if (inTransaction && !participant.isOpened()) {
      participant.adopt();
      phase = Phase.EXPLICIT;
    } else if (!inTransaction && participant.isOpened()) {
      participant.ended();
      resetIfNoneOpened();
    }
    letGo(participant);
  }

  /**
   * The database answered with an error. If that ended the transaction there (deadlock), it is
   * rolled back everywhere.
   *
   * @param errno 0 if the statement did not get that far on this connection
   */
  public void failed(Lease lease, int errno) {
    leaveDdl();
    if (givenUp.contains(lease)) {
      return;
    }
    Participant participant = find(lease);
    if (participant == null) {
      next = inTransaction() ? next : TransactionOptions.DEFAULT;
      lease.release();
      return;
    }
    if (participant.isOpened() && endsTransaction(errno)) {
      participant.ended();
      giveUp();
    }
    if (phase != Phase.STATEMENT) {
      letGo(participant);
    }
  }

  /**
   * The connection broke, or was left in the middle of an answer. It is closed; a transaction it
   * took part in is rolled back everywhere.
   *
   * @return what to tell the client
   */
  public RefusedException lost(Lease lease, String reason) {
    leaveDdl();
    lease.discard(reason);
    Participant participant = find(lease);
    boolean tookPart = participant != null && participant.isOpened();
    if (participant != null) {
      held.remove(participant);
    }
    boolean loses = tookPart && phase != Phase.STATEMENT;
    if (tookPart) {
      giveUp();
    }
    return loses
        ? ErrorCatalogue.TRANSACTION_LOST.refuse(lease.dataSource())
        : ErrorCatalogue.BACKEND_LOST.refuse(lease.dataSource());
  }

  /**
   * The session is over: everything is rolled back at once, in the background; pinned connections
   * are closed.
   */
  public void close() {
    closed = true;
    giveUp();
    for (Participant participant : held) {
      participant.lease.discard("session ended with " + participant.pins);
    }
    held.clear();
  }

  // ---------------------------------------------------------------- units of one statement

  boolean beginStatement() {
    if (isOpen()) {
      return false;
    }
    options = next;
    next = TransactionOptions.DEFAULT;
    phase = Phase.STATEMENT;
    return true;
  }

  boolean inStatement() {
    return phase == Phase.STATEMENT;
  }

  boolean isOpenedOn(Lease lease) {
    Participant participant = find(lease);
    return participant != null && participant.isOpened();
  }

  // ---------------------------------------------------------------- inside

  private boolean inTransaction() {
    return switch (phase) {
      case EXPLICIT, STATEMENT -> true;
      case DDL -> false;
      case NONE -> !autocommit;
    };
  }

  private void leaveDdl() {
    phase = phase == Phase.DDL ? Phase.NONE : phase;
  }

  private void hold(LeaseDesk desk, Lease lease) {
    if (inTransaction()) {
      held.add(new Participant(desk, lease));
    }
  }

  private @Nullable Participant find(LeaseDesk desk, String dataSource) {
    for (Participant participant : held) {
      if (participant.isOf(desk, dataSource)) {
        return participant;
      }
    }
    return null;
  }

  private @Nullable Participant find(Lease lease) {
    for (Participant participant : held) {
      if (participant.has(lease)) {
        return participant;
      }
    }
    return null;
  }

  private void queueOnOpened(String command) {
    for (Participant participant : held) {
      if (participant.isOpened()) {
        participant.queue(command);
      }
    }
  }

  private List<Lease> opened() {
    var leases = new ArrayList<Lease>(held.size());
    for (Participant participant : held) {
      if (participant.isOpened()) {
        leases.add(participant.lease);
      }
    }
    return leases;
  }

  /** Runs what is still due on the connections of the transaction. */
  private List<Lease> flushOpened() {
    for (Participant participant : held) {
      if (participant.isOpened()) {
        for (byte[] command : participant.pending()) {
          Commands.run(participant.lease, command);
        }
        participant.sent();
      }
    }
    return opened();
  }

  /** Lets the connections go; true if all committed. */
  private boolean finish(List<Coordinator.Ending> endings) {
    boolean everywhere = true;
    for (Coordinator.Ending ending : endings) {
      everywhere &= ending.state() == Coordinator.State.COMMITTED;
      Participant participant = find(ending.lease());
      if (participant == null) {
        continue;
      }
      participant.ended();
      if (ending.isBroken()) {
        held.remove(participant);
        ending.lease().discard("transaction could not be ended: " + ending.cause());
      }
    }
    return everywhere;
  }

  private void reset(boolean chain) {
    savepoints.clear();
    members.clear();
    if (!chain) {
      phase = Phase.NONE;
      options = TransactionOptions.DEFAULT;
    }
    for (Participant participant : List.copyOf(held)) {
      letGo(participant);
    }
  }

  private void resetIfNoneOpened() {
    if (!hasOpened()) {
      savepoints.clear();
      members.clear();
      phase = Phase.NONE;
      options = TransactionOptions.DEFAULT;
    }
  }

  /** Releases a connection that nothing binds to the session any more. */
  private void letGo(Participant participant) {
    boolean bound = participant.isOpened() || !participant.pins.isEmpty();
    if (!bound && held.remove(participant)) {
      participant.lease.release();
    }
  }

  /** Rolls back in the background; the session is out of the transaction at once. */
  private void giveUp() {
    var leases = new ArrayList<Lease>(held.size());
    for (Participant participant : List.copyOf(held)) {
      if (participant.isOpened()) {
        held.remove(participant);
        if (participant.pins.isEmpty()) {
          leases.add(participant.lease);
        } else {
          participant.lease.discard("transaction given up with " + participant.pins);
        }
      } else {
        letGo(participant);
      }
    }
    savepoints.clear();
    members.clear();
    phase = Phase.NONE;
    options = TransactionOptions.DEFAULT;
    if (!leases.isEmpty()) {
      givenUp.addAll(leases);
      background.execute(() -> Endings.letGo(coordinator.rollback(leases)));
    }
  }

  private static boolean endsTransaction(int errno) {
    return new ShardException.Database(errno, "HY000", "").endsTransaction();
  }
}
