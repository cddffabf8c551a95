package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Commands;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a session's statements run on.
 *
 * <p>A connection joins the open transaction when a statement first goes to its data source; BEGIN
 * (or XA START) and the savepoints so far are then due in front of that statement ({@link
 * #prologue}). Outside a transaction a lease lasts for one statement. A pinned connection is kept
 * until the session ends or unpins it.
 *
 * <p>The relay lane calls {@link #lease}, {@link #prologue}, {@link #prologueSent} and then one of
 * {@link #completed}, {@link #failed}, {@link #lost}, {@link #retract}, all on the event loop; the
 * merge lane goes through {@link #leases}. Not thread-safe: a session runs one command at a time.
 */
public final class SessionConnections {

  private final Supplier<LeaseDesk> desks;
  private final boolean foundRows;
  private final EventLoop loop;
  private final LeaseDesk.Commits commits;
  private final OpenTransaction open;
  private final TransactionState state;
  private final Participants held;
  private final ConnectionPins pins;
  private final Lessee self;
  private final LeaseWait wait = new LeaseWait();
  private boolean closed;

  SessionConnections(
      Supplier<LeaseDesk> desks,
      boolean foundRows,
      EventLoop loop,
      LeaseDesk.Commits commits,
      WaitEnding waits,
      OpenTransaction open) {
    this.desks = desks;
    this.foundRows = foundRows;
    this.loop = loop;
    this.commits = commits;
    this.open = open;
    this.state = open.state;
    this.held = open.held;
    this.pins = new ConnectionPins(desks, held);
    this.self = new Waiting(open, waits, System.nanoTime());
  }

  /** What those who look for deadlocks see of the session. */
  private record Waiting(OpenTransaction open, WaitEnding waits, long startedAt) implements Lessee {

    @Override
    public boolean hasLeases() {
      return !open.held.allYield();
    }

    @Override
    public boolean yields(Lease lease) {
      return waits.isIdle() && open.held.giveUp(lease);
    }

    @Override
    public void giveWay() {
      waits.giveWay();
    }

    @Override
    public int sessionId() {
      return waits.sessionId();
    }

    @Override
    public String user() {
      return waits.user();
    }

    @Override
    public Priority priority() {
      return waits.priority();
    }

    @Override
    public byte @Nullable [] origin() {
      return waits.origin();
    }

    @Override
    public boolean raisesErrors() {
      return waits.raisesErrors();
    }

    @Override
    public long since() {
      return open.openedAt();
    }

    @Override
    public void endWait(HeldLease waiting, RefusedException reason) {
      waits.end(waiting, reason);
    }

    @Override
    public String toString() {
      return waits.toString();
    }
  }

  // ---------------------------------------------------------------- what is held

  /**
   * Whether connections stay with the session beyond a statement: in a transaction, or pinned. Not
   * those that only have cursors.
   */
  public boolean areBound() {
    return held.bind();
  }

  /** Whether connections stay with the session for a reason that it cannot do without. */
  public boolean areHeld() {
    return !held.allYield();
  }

  /** Whether the connection stays with the session beyond the statement. */
  public boolean keeps(Lease lease) {
    return held.find(lease) != null;
  }

  /**
   * Whether a connection broke that had what the session cannot have again: temporary tables,
   * locks. What the client sends next is refused; it has to connect anew.
   */
  public boolean isStateLost() {
    return open.stateLost() != null;
  }

  /**
   * @throws RefusedException if {@linkplain #isStateLost state is lost}
   */
  public void tellStateLost() {
    RefusedException lost = open.stateLost();
    if (lost != null) {
      throw lost;
    }
  }

  /**
   * The session's statements for a group go to a member of it.
   *
   * @param dataSource the member
   * @throws RefusedException if there is what the session cannot have again on another member,
   *     where it was made {@linkplain #statesAreOf by way of that group}; that is lost, then
   */
  public void requireStateOn(String dataSource, String group) {
    LeaseDesk desk = desks.get();
    open.loseStates(
        participant -> !participant.isOf(desk, dataSource) && participant.hasStateOf(desk, group),
        "the session's statements go to " + dataSource);
    tellStateLost();
  }

  /**
   * The statement that has run on members of groups may have left there what the session cannot
   * have again.
   *
   * @param groups by the names of the members
   */
  public void statesAreOf(Map<String, String> groups) {
    LeaseDesk desk = desks.get();
    for (Participant participant : held.stateful()) {
      String group = groups.get(participant.lease.dataSource());
      if (group != null) {
        participant.stateIsOf(desk, group);
      }
    }
  }

  /** What binds connections to the session beyond transactions. */
  public ConnectionPins pins() {
    return pins;
  }

  /**
   * UNLOCK TABLES on all connections that have locks. Blocks.
   *
   * @throws ShardException of the first one that has failed; it has been closed
   */
  public void unlock(SessionSettings settings) {
    if (!state.isExplicit()) {
      state.beginDdl();
    }
    for (Participant participant : held.pinned(Pin.LOCK_TABLES)) {
      Lease lease = participant.lease;
      try {
        Commands.prologue(lease, prologue(lease, settings));
        prologueSent(lease, settings);
        Commands.run(lease, "UNLOCK TABLES");
      } catch (ShardException failure) {
        participant.pins.remove(Pin.LOCK_TABLES);
        open.drop(participant);
        lease.discard("tables could not be unlocked: " + failure.getMessage());
        throw failure;
      }
      pins.unpin(lease, Pin.LOCK_TABLES);
    }
    state.leaveStatement();
  }

  /**
   * The session has said USE of another database that is on the same server: the connections that
   * it holds go with it.
   *
   * @param to where that database's connections are from
   * @param schema what the server calls it
   * @param areThere whether they are in it already
   * @return false if they cannot: then nothing has changed
   */
  public boolean move(LeaseDesk to, String dataSource, String schema, boolean areThere) {
    return held.move(to, dataSource, schema, areThere);
  }

  /** What binds the session to its connections, as errors tell it: the strongest of all. */
  public String binding() {
    if (pins.any(Pin.XA)) {
      return "a branch of XA START is open";
    }
    if (held.hasOpened()) {
      return "a transaction is open";
    }
    if (pins.any(Pin.LOCK_TABLES)) {
      return "tables are locked";
    }
    if (pins.any(Pin.TEMPORARY_TABLE)) {
      return "there are temporary tables";
    }
    if (pins.any(Pin.USER_LOCK)) {
      return "a lock of GET_LOCK is held";
    }
    return pins.any(Pin.OTHER)
        ? "its connection has state of PREPARE, HANDLER, CALL, a block, a function or a trigger"
        : "a transaction is open";
  }

  /** A lease that the session holds, as it is after {@link #move}. */
  public Lease moved(Lease before) {
    return held.moved(before);
  }

  // ---------------------------------------------------------------- leases

  /**
   * The statement that takes the next lease uses no tables and so is no transaction: with
   * autocommit off none begins with it, and what SET TRANSACTION has said is left to the statement
   * after it.
   */
  public void usesNoTables() {
    state.usesNoTables();
  }

  /**
   * The statement that takes the next lease may commit or roll back by itself, as a procedure may:
   * it is refused where that would tear a transaction.
   */
  public void mayEndTransaction() {
    state.mayEnd();
  }

  /** The statement that takes the next lease has another inside, such as SET autocommit. */
  public void runsProgram() {
    state.beginProgram();
  }

  /**
   * What a read may be run with on a connection that other sessions use at the same time.
   *
   * @param request what a connection of its own would be asked for with
   */
  public record Share(LeaseDesk desk, LeaseDesk.Request request) {}

  /**
   * Whether the next statement, a read, needs nothing that a connection of the session has, and is
   * no part of a transaction; null: it needs a lease.
   *
   * @param dataSource an actual data source
   */
  public @Nullable Share share(String dataSource) {
    return areApart() ? new Share(desks.get(), request(dataSource)) : null;
  }

  /**
   * Whether the next statement needs nothing that a connection of the session has, and is no part
   * of a transaction.
   */
  public boolean areApart() {
    return !closed
        && held.isEmpty()
        && state.isAutocommit()
        && !state.joins()
        && !state.runsProgram()
        && state.forOneStatement().isEmpty()
        && open.stateLost() == null
        && !open.isGone();
  }

  /**
   * A lease for one statement. Does not block; the callback runs on the event loop, at once where
   * the session holds the connection already.
   *
   * @param dataSource an actual data source
   */
  public void lease(String dataSource, Access access, LeaseDesk.Callback callback) {
    LeaseDesk desk = desks.get();
    Participant participant;
    try {
      participant = admit(desk, dataSource, access);
    } catch (RefusedException refusal) {
      callback.leased(null, refusal);
      return;
    }
    if (participant != null) {
      callback.leased(participant.lease, null);
      return;
    }
    desk.lease(
        request(dataSource),
        new LeaseDesk.Callback() {
          @Override
          public void queued(LeaseDesk.Place place) {
            wait.awaits(place);
          }

          @Override
          public void leased(@Nullable Lease lease, @Nullable RuntimeException refusal) {
            if (lease != null && closed) {
              lease.release();
              callback.leased(null, ErrorCatalogue.BACKEND_LOST.refuse(dataSource));
              return;
            }
            if (lease == null) {
              state.leaveStatement();
            } else {
              open.join(desk, lease, access);
            }
            callback.leased(lease, refusal);
          }
        });
    held.yieldWanted();
  }

  /**
   * The running statement has ended, with connections or before it took any: what was said of it
   * alone ({@link #usesNoTables}, {@link #mayEndTransaction}, that it commits by itself) is not of
   * the next.
   */
  public void statementEnded() {
    state.endStatement();
  }

  /** The running statement's wait for a lease. */
  public LeaseWait waiting() {
    return wait;
  }

  /** The same, waiting on the calling virtual thread. */
  public Lease leaseBlocking(String dataSource, Access access) {
    LeaseDesk desk = desks.get();
    Participant participant = admit(desk, dataSource, access);
    if (participant != null) {
      return participant.lease;
    }
    try {
      Lease lease = desk.leaseBlocking(request(dataSource), wait::awaits);
      open.join(desk, lease, access);
      return lease;
    } catch (RefusedException refusal) {
      state.leaveStatement();
      throw refusal;
    }
  }

  /**
   * A connection on which the next statement can run at once: at hand, with the session's settings,
   * and with nothing due in front of the statement. On the event loop.
   *
   * @return null if there is none; it is to be waited for, then
   * @throws RefusedException as {@link #leaseBlocking}
   */
  @Nullable Lease leaseNow(String dataSource, Access access, SessionSettings settings) {
    LeaseDesk desk = desks.get();
    Participant known = held.find(desk, dataSource);
    boolean isDue =
        known == null
            ? state.joins() || !state.forOneStatement().isEmpty()
            : !known.isOpened() || !known.pending().isEmpty() || known.lease.isLost();
    if (isDue) {
      return null;
    }
    Participant participant = admit(desk, dataSource, access);
    Lease lease = participant == null ? desk.leaseNow(request(dataSource)) : participant.lease;
    if (lease == null || SettingsReplay.difference(lease, settings).isEmpty()) {
      return lease;
    }
    if (participant == null) {
      lease.release();
    }
    return null;
  }

  /**
   * A statement begins: what the session holds of the data source already.
   *
   * @throws RefusedException if it cannot be part of the transaction; it is over, then
   */
  private @Nullable Participant admit(LeaseDesk desk, String dataSource, Access access) {
    open.statementBegins();
    try {
      return open.admit(desk, dataSource, access);
    } catch (RefusedException refusal) {
      state.leaveStatement();
      throw refusal;
    }
  }

  /** A lease that the session does not hold, whatever transaction is open; waits like the above. */
  Lease apart(String dataSource) {
    return desks.get().leaseBlocking(request(dataSource), wait::awaits);
  }

  private LeaseDesk.Request request(String dataSource) {
    return new LeaseDesk.Request(dataSource, foundRows, loop, commits, self);
  }

  /** The connections of one merge-lane statement that may do anything. */
  public StatementLeases leases(UnaryOperator<String> endpoints, SessionSettings settings) {
    return leases(endpoints, Access.WRITE, settings);
  }

  /** The connections of one merge-lane statement. */
  public StatementLeases leases(
      UnaryOperator<String> endpoints, Access access, SessionSettings settings) {
    return new TransactionLeases(this, open, endpoints, access, settings);
  }

  // ---------------------------------------------------------------- in front of a statement

  /**
   * What must run on the connection in front of the next statement, in the same packet train:
   * differing settings, BEGIN or XA START, savepoints. Empty most times.
   */
  public List<byte[]> prologue(Lease lease, SessionSettings settings) {
    List<byte[]> replay = SettingsReplay.difference(lease, settings);
    Participant participant = held.find(lease);
    if (participant != null
        && !participant.isOpened()
        && !participant.pins.contains(Pin.XA)
        && state.joins()) {
      open.open(participant, settings);
    }
    if (participant != null && state.runsProgram() && state.isImplied()) {
      participant.uncommit();
    }
    List<byte[]> pending = participant == null ? List.of() : participant.pending();
    List<String> once = state.forOneStatement();
    if (pending.isEmpty() && once.isEmpty()) {
      return replay;
    }
    var all = new ArrayList<byte[]>(replay.size() + pending.size() + once.size());
    all.addAll(replay);
    all.addAll(pending);
    if (!once.isEmpty()) {
      open.tellOfNext(lease);
    }
    once.forEach(command -> all.add(command.getBytes(StandardCharsets.UTF_8)));
    return all;
  }

  /** What is still due on the connection, in front of what is no statement: it begins nothing. */
  public List<byte[]> dueBefore(Lease lease, SessionSettings settings) {
    var all = new ArrayList<>(SettingsReplay.difference(lease, settings));
    Participant participant = held.find(lease);
    if (participant != null) {
      all.addAll(participant.pending());
    }
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

  // ---------------------------------------------------------------- after a statement

  /**
   * The statement has been answered without error.
   *
   * @param backendStatus flags of its last OK or EOF packet: a transaction that the database opened
   *     or ended on its own is noticed by them
   */
  public void completed(Lease lease, int backendStatus) {
    state.leaveStatement();
    open.takeEnding();
    if (open.hasGivenUp(lease)) {
      return;
    }
    boolean inTransaction = (backendStatus & TransactionState.IN_TRANSACTION) != 0;
    Participant participant = held.find(lease);
    if (participant == null) {
      if (!inTransaction) {
        open.release(lease, true);
        return;
      }
      participant = held.hold(desks.get(), lease);
    }
    open.ran(participant, true);
    participant.ran();
    if (state.isStatement()) {
      return;
    }
    if (!inTransaction) {
      participant.pins.remove(Pin.XA);
    }
    followAutocommit(participant, backendStatus);
    if (inTransaction && !participant.isOpened() && !participant.pins.contains(Pin.XA)) {
      participant.adopt();
      state.adopt();
    } else if (!inTransaction && participant.isOpened()) {
      participant.ended();
      if (!held.hasOpened()) {
        open.forget(false);
      }
    }
    held.letGo(participant);
    held.yieldWanted();
  }

  /**
   * A statement has been prepared on the connection, and none has run: the answer says nothing of a
   * transaction, so what is open there is what was.
   */
  public void prepared(Lease lease) {
    Participant participant = held.find(lease);
    boolean isOpen =
        participant != null && (participant.isOpened() || participant.pins.contains(Pin.XA));
    int autocommit = state.isAutocommit() ? TransactionState.AUTOCOMMIT : 0;
    completed(lease, autocommit | (isOpen ? TransactionState.IN_TRANSACTION : 0));
  }

  /** A procedure or a block may have switched autocommit on or off. */
  private void followAutocommit(Participant participant, int backendStatus) {
    boolean commits = (backendStatus & TransactionState.AUTOCOMMIT) != 0;
    if (commits == state.isAutocommit() || !participant.pins.contains(Pin.OTHER)) {
      return;
    }
    if (!commits) {
      state.autocommit(false);
      participant.uncommits((backendStatus & TransactionState.IN_TRANSACTION) != 0);
    } else if (participant.isUncommitting()) {
      state.autocommit(true);
      participant.commits();
    }
  }

  /**
   * The database answered with an error. If that ended the transaction there (deadlock), or the
   * statement was its end, it is rolled back everywhere. If it ended the connection, the
   * transaction is lost.
   *
   * @param errno 0 if the statement did not get that far on this connection
   */
  public void failed(Lease lease, int errno) {
    failed(lease, errno, TransactionState.IN_TRANSACTION);
  }

  /**
   * The same where the connection has told how it stands since.
   *
   * @param backendStatus flags of its last OK or EOF packet, later than the error: an error that
   *     rolled back more than its statement is noticed by them
   */
  public void failed(Lease lease, int errno, int backendStatus) {
    if (open.hasGivenUp(lease)) {
      state.leaveStatement();
      open.takeEnding();
      return;
    }
    if (ShardException.Database.endsConnection(errno) || lease.isLost()) {
      lost(lease, "the server ended it with error " + errno);
      return;
    }
    state.leaveStatement();
    boolean wasEnding = open.takeEnding();
    Participant participant = held.find(lease);
    if (participant == null) {
      open.release(lease, !ShardException.Database.precedesTables(errno));
      return;
    }
    open.ran(participant, !ShardException.Database.precedesTables(errno));
    boolean isPlain = participant.branch().xid() == null;
    boolean hasBegun = participant.hasRun() || !participant.isUncommitting();
    boolean isRolledBack =
        isPlain && hasBegun && (backendStatus & TransactionState.IN_TRANSACTION) == 0;
    boolean isOver = isRolledBack || ShardException.Database.endsTransaction(errno);
    if (participant.isOpened() && (isOver || wasEnding)) {
      if (isOver && isPlain) {
        participant.ended();
      }
      open.giveUp();
    } else if (state.isImplied() && !participant.hasRun() && opensNothing(errno)) {
      takeBack(participant);
    }
    if (!state.isStatement()) {
      held.letGo(participant);
    }
  }

  /** Whether only the connection itself can tell whether it is still in the transaction. */
  public boolean mayHaveLeft(Lease lease, int errno) {
    return held.takesPart(lease) && ShardException.Database.mayEndTransaction(errno);
  }

  /**
   * A server begins no transaction with a statement that it cannot parse, or without its tables.
   */
  private static boolean opensNothing(int errno) {
    return errno == 1064 || errno == 1149 || errno == 1146 || errno == 1243;
  }

  private void takeBack(Participant first) {
    if (first.equals(held.sole())) {
      state.takeBack();
      open.giveUp();
    }
  }

  /**
   * The connection broke, or was left in the middle of an answer. It is closed; a transaction it
   * took part in is rolled back everywhere.
   *
   * @return what to tell the client
   */
  public RefusedException lost(Lease lease, String reason) {
    return lost(lease, reason, true);
  }

  /**
   * The same where it may be known that the server has not begun what was sent: a COMMIT that did
   * not reach it has committed nothing.
   */
  public RefusedException lost(Lease lease, String reason, boolean mayHaveRun) {
    state.leaveStatement();
    boolean wasEnding = open.takeEnding();
    lease.discard(reason);
    Participant participant = held.find(lease);
    boolean tookPart = participant != null && participant.isOpened();
    if (participant != null) {
      open.drop(participant);
    }
    boolean loses = tookPart && !state.isStatement();
    RefusedException told = ErrorCatalogue.BACKEND_LOST.refuse(lease.dataSource());
    if (loses && !wasEnding) {
      told = ErrorCatalogue.TRANSACTION_LOST.refuse(lease.dataSource());
      open.lose(told);
    } else if (tookPart) {
      open.giveUp();
    }
    if (loses && wasEnding) {
      ErrorCatalogue how =
          mayHaveRun ? ErrorCatalogue.COMMIT_UNKNOWN : ErrorCatalogue.TRANSACTION_LOST;
      return how.refuse(lease.dataSource());
    }
    RefusedException stateLost = open.stateLost();
    return stateLost == null ? told : stateLost;
  }

  /**
   * The connection broke behind an answer that the client has, before it told what the statement
   * has left: later statements would be answered without that.
   */
  public void lostBehindAnswer(Lease lease, String reason) {
    lost(lease, reason);
    open.loseState(lease.dataSource());
  }

  /** The same, where {@code why} is what the session is told of it. */
  public void lostBehindAnswer(Lease lease, String reason, RefusedException why) {
    lost(lease, reason);
    open.loseState(why);
  }

  /**
   * The statement had no effect, and the open transaction, if there is one, has sent nothing else:
   * it is as if the statement had not been sent.
   */
  public void retract(Lease lease, String reason) {
    state.leaveStatement();
    Participant participant = held.find(lease);
    if (participant == null) {
      open.release(lease, false);
    } else {
      if (state.isImplied() && !participant.hasRun() && participant.equals(held.sole())) {
        state.takeBack();
      }
      open.drop(participant);
      lease.discard(reason);
    }
  }

  /**
   * The session's statement was ended because it waited in a deadlock: its transaction is rolled
   * back everywhere. Nothing runs on its connections any more.
   */
  public void deadlocked() {
    state.leaveStatement();
    open.giveUp();
  }

  /**
   * Whether a transaction was given up that is open at a database still, on a connection that the
   * session keeps.
   */
  public boolean haveGivenUp() {
    return !closed && held.areRollingBack();
  }

  /**
   * Rolls that back: nobody is to wait for its locks until the session's next statement. Blocks;
   * nothing runs on the connections.
   */
  public void rollBackGivenUp() {
    for (Participant pinned : held.rollingBack()) {
      try {
        Commands.rollback(pinned.lease, List.copyOf(pinned.pending()));
        pinned.sent();
        held.letGo(pinned);
      } catch (ShardException failure) {
        lost(pinned.lease, "could not be rolled back: " + failure.getMessage());
      }
    }
  }

  /** The session is over: pinned connections are closed. */
  void close() {
    closed = true;
    held.discardAll();
  }
}
