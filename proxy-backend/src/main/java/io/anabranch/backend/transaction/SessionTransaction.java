package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.TransactionMembers;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one session, as its client's statements begin and end it; {@link #connections}
 * has what they run on.
 *
 * <p>Called on the session's event loop; only methods that say so block, and belong on a virtual
 * thread. Not thread-safe: a session runs one command at a time, and {@link #close} comes after the
 * last.
 */
public final class SessionTransaction {

  /** How long a snapshot waits for commits. */
  private static final long SNAPSHOT_MILLISECONDS = 10_000;

  private final OpenTransaction open;
  private final TransactionState state;
  private final Participants held;
  private final SessionConnections connections;
  private final EventLoop loop;

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
    this(
        desks,
        foundRows,
        loop,
        coordinator,
        background,
        LeaseDesk.Commits.NOBODY,
        WaitEnding.NEVER);
  }

  /**
   * @param commits told of what is committed on the session's connections
   * @param waits ends what the session waits for
   */
  public SessionTransaction(
      Supplier<LeaseDesk> desks,
      boolean foundRows,
      EventLoop loop,
      Coordinator coordinator,
      Executor background,
      LeaseDesk.Commits commits,
      WaitEnding waits) {
    this.open = new OpenTransaction(coordinator, background);
    this.state = open.state;
    this.held = open.held;
    this.loop = loop;
    this.connections = new SessionConnections(desks, foundRows, loop, commits, waits, open);
  }

  /** What the session's statements run on. */
  public SessionConnections connections() {
    return connections;
  }

  // ---------------------------------------------------------------- what the client is told

  /** Whether statements now belong to a transaction that COMMIT will end. */
  public boolean isOpen() {
    return state.isOpen();
  }

  /**
   * Whether the client's transaction was rolled back without its doing, and it has not ended it
   * since: statements are refused until ROLLBACK, COMMIT (which is refused, too) or BEGIN.
   */
  public boolean isGone() {
    return open.isGone();
  }

  /**
   * For what takes no connection but belongs to a transaction, or would commit it.
   *
   * @throws RefusedException if {@link #isGone}
   */
  public void requireNotGone() {
    open.tellEnded();
  }

  /** The same without what autocommit=0 implies as long as no database has heard of it. */
  public boolean isBegun() {
    return state.isExplicit() || hasOpened();
  }

  public boolean isAutocommit() {
    return state.isAutocommit();
  }

  /** Whether a connection knows better what autocommit is: a program runs there. */
  public boolean isAutocommitOfProgram() {
    return state.runsProgram();
  }

  /**
   * Whether the open transaction is READ ONLY.
   *
   * @param byDefault whether those of the session are that do not say what they are
   */
  public boolean isReadOnly(boolean byDefault) {
    return state.isReadOnly(byDefault);
  }

  /** IN_TRANS, AUTOCOMMIT and IN_TRANS_READONLY, as this session's OK and EOF packets say. */
  public int statusFlags() {
    int flags = state.statusFlags(hasOpened());
    if (open.isGone()) {
      // else drivers would not send the ROLLBACK that it takes
      flags |= TransactionState.IN_TRANSACTION;
    }
    return held.arePinned(Pin.XA) ? flags | TransactionState.IN_TRANSACTION : flags;
  }

  /**
   * Whether a transaction is open of which the running statement, and its connection, are no part.
   */
  public boolean isPassedBy() {
    return state.isTableless() && hasOpened();
  }

  /** The members of read/write groups that the open transaction stays with; null outside. */
  public @Nullable TransactionMembers members() {
    return isOpen() ? state.members() : null;
  }

  /** Whether ending the transaction takes a word with a database: COMMIT, ROLLBACK then block. */
  public boolean hasOpened() {
    return held.hasOpened();
  }

  /** Whether databases have had it open for that long. */
  public boolean isOpenFor(long nanos) {
    return open.isOpenFor(nanos);
  }

  // ---------------------------------------------------------------- beginning

  /** Who ends the transactions that begin from now on. */
  public void coordinator(Coordinator of) {
    open.coordinator(of);
  }

  /**
   * BEGIN, START TRANSACTION. The caller has committed an open transaction before. Sends nothing;
   * WITH CONSISTENT SNAPSHOT is exact only when the caller then joins every data source ({@link
   * #snapshot}).
   *
   * @param settings what the session says now: what it says of transactions holds for this one,
   *     whatever it says before all data sources take part
   */
  public void begin(TransactionOptions options, SessionSettings settings) {
    open.begin(options, settings);
  }

  /**
   * SET autocommit. Setting it while it is off ends the open transaction: the caller commits before
   * if {@link #hasOpened}.
   *
   * @throws RefusedException if {@link #isGone}: it would commit
   */
  public void autocommit(boolean on) {
    open.tellEnded();
    if (on && !isAutocommit()) {
      open.requireNotOpened();
      open.forget(false);
    }
    state.autocommit(on);
  }

  /**
   * SET TRANSACTION without SESSION: for the next transaction only.
   *
   * @throws RefusedException 1568 while a transaction is open
   */
  public void setNext(TransactionOptions options) {
    open.tellEnded();
    state.setNext(options, hasOpened());
  }

  /** What SET TRANSACTION has said of the next one. */
  public TransactionOptions next() {
    return state.next();
  }

  /** The statement that has said something else of it has failed. */
  public void restoreNext(TransactionOptions former) {
    state.restoreNext(former);
  }

  /**
   * SET SESSION has set variables: those of transactions count for the next one as well, whatever
   * SET TRANSACTION has said of it.
   *
   * @param variables their names, in lower case
   */
  public void setForSession(Collection<String> variables) {
    state.overrideNext(variables);
  }

  /** COMMIT or ROLLBACK without a transaction: what SET TRANSACTION has said is over as well. */
  public void forgetNext() {
    if (!isOpen()) {
      state.nextUsedUp();
    }
  }

  /**
   * Whether a statement that is no transaction differs from others: it begins, and uses up, none.
   */
  public boolean awaitsNext() {
    return !state.isAutocommit() || state.saysNext();
  }

  /** Whether SET TRANSACTION has said of the next one whether it is READ ONLY. */
  public boolean saysNextAccess() {
    return state.saysNextAccess();
  }

  /**
   * Joins data sources to the transaction that has just begun, with one snapshot: connections are
   * taken first, then all snapshots are opened between the commits of other transactions. Blocks.
   * If it fails the transaction is rolled back.
   *
   * @throws RefusedException if connections or a moment between commits were not to be had
   */
  public void snapshot(
      Collection<String> dataSources, SessionSettings settings, CommitBarrier barrier) {
    state.snapshot();
    var ordered = new TreeSet<>(dataSources);
    StatementLeases leases = connections.leases(name -> name, Access.READ, settings);
    try {
      for (String dataSource : ordered) {
        connections.leaseBlocking(dataSource, Access.READ);
      }
      barrier.snapshot(() -> ordered.forEach(leases::ready), SNAPSHOT_MILLISECONDS);
    } catch (RuntimeException failure) {
      rollback(false);
      throw failure;
    }
  }

  // ---------------------------------------------------------------- savepoints

  /** SAVEPOINT. Reaches the databases in front of their next statement. */
  public void savepoint(String name) {
    open.tellEnded();
    if (!isOpen()) {
      return;
    }
    held.requireRoom();
    held.queueOnOpened("SAVEPOINT " + TableNames.quoted(state.savepoints().set(name)));
  }

  /**
   * ROLLBACK TO SAVEPOINT. Reaches the databases in front of their next statement.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void rollbackTo(String name) {
    open.tellEnded();
    held.requireRoom();
    String told = state.savepoints().rollbackTo(name);
    if (told == null) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    held.queueOnOpened("ROLLBACK TO SAVEPOINT " + TableNames.quoted(told));
  }

  /**
   * RELEASE SAVEPOINT.
   *
   * @throws RefusedException 1305 if there is no such savepoint
   */
  public void releaseSavepoint(String name) {
    open.tellEnded();
    held.requireRoom();
    String told = state.savepoints().release(name);
    if (told == null) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    held.queueOnOpened("RELEASE SAVEPOINT " + TableNames.quoted(told));
  }

  /**
   * The only connection in the transaction, where a program has run: it may have ended savepoints,
   * so {@link #rollingBackTo} and {@link #releasing} are relayed there; null for others.
   */
  public @Nullable Lease ownerOfSavepoints() {
    Participant sole = held.sole();
    if (sole == null || !sole.pins.contains(Pin.OTHER) || sole.lease.connection() == null) {
      return null;
    }
    return sole.lease;
  }

  /** What to relay for ROLLBACK TO SAVEPOINT. */
  public byte[] rollingBackTo(String name) {
    return command("ROLLBACK TO SAVEPOINT ", state.savepoints().rollbackTo(name), name);
  }

  /** What to relay for RELEASE SAVEPOINT. */
  public byte[] releasing(String name) {
    return command("RELEASE SAVEPOINT ", state.savepoints().release(name), name);
  }

  /** A program's own may be meant, whose name is told as it is: in ASCII. */
  private static byte[] command(String words, @Nullable String told, String name) {
    if (told == null && !SettingsReplay.isAscii(name)) {
      throw ErrorCatalogue.NO_SUCH_SAVEPOINT.refuse(name);
    }
    String called = told == null ? name : told;
    return (words + TableNames.quoted(called)).getBytes(StandardCharsets.US_ASCII);
  }

  // ---------------------------------------------------------------- ending

  /**
   * The only connection in the transaction: COMMIT or ROLLBACK (without CHAIN or RELEASE) may then
   * be relayed on it as {@link #ending} says, like any other statement, prologue included. Null if
   * there is none or there are several.
   */
  public @Nullable Lease soleParticipant() {
    Participant sole = held.sole();
    return sole == null ? null : sole.lease;
  }

  /**
   * What to relay on {@link #soleParticipant} for COMMIT or ROLLBACK; what goes in front of it is
   * then in the {@link SessionConnections#prologue}. It must be relayed at once.
   */
  public byte[] ending(boolean commit) {
    Participant sole = held.sole();
    if (sole == null) {
      throw new IllegalStateException("not one participant");
    }
    List<String> commands = commit ? sole.branch().commit() : sole.branch().rollback();
    commands.subList(0, commands.size() - 1).forEach(sole::queue);
    open.endingRelayed();
    return commands.getLast().getBytes(StandardCharsets.UTF_8);
  }

  /** Whether COMMIT and ROLLBACK need not block: {@link #end}. */
  public boolean endsWithoutBlocking() {
    return open.endsOn(loop);
  }

  /**
   * COMMIT or ROLLBACK without blocking, where {@link #endsWithoutBlocking}.
   *
   * @param chain AND CHAIN: a transaction with the same options begins at once
   * @param ended told on the event loop, perhaps before this method returns: null, or what {@link
   *     #commit} throws
   */
  public void end(boolean commit, boolean chain, Consumer<@Nullable Throwable> ended) {
    open.clientEnds(commit);
    var _ =
        open.end(commit, chain)
            .whenComplete(
                (last, mistake) -> {
                  Runnable step = () -> ended.accept(mistake == null ? tried(last) : lost(mistake));
                  if (loop.inEventLoop()) {
                    step.run();
                  } else {
                    loop.execute(step);
                  }
                });
  }

  private Throwable lost(Throwable mistake) {
    open.abandon();
    return mistake;
  }

  private static @Nullable RuntimeException tried(Runnable last) {
    try {
      last.run();
      return null;
    } catch (RuntimeException failure) {
      return failure;
    }
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
    open.clientEnds(true);
    open.commit(chain);
  }

  /**
   * Commits in front of a statement that commits implicitly, and keeps that statement, which must
   * be the next to take leases, out of any transaction. Blocks if {@link #hasOpened}.
   *
   * @throws RuntimeException as {@link #commit}
   */
  public void commitBeforeDdl() {
    open.tellEnded();
    open.commit(false);
    state.beginDdl();
  }

  /**
   * ROLLBACK. Blocks if {@link #hasOpened}. A connection that does not answer is closed, which
   * rolls back as well.
   */
  public void rollback(boolean chain) {
    open.clientEnds(false);
    open.rollback(chain);
  }

  /** What databases say that {@link #rollback} or {@link #end} could not undo: told once. */
  public List<List<String>> takeWarned() {
    return open.takeWarned();
  }

  /**
   * The transaction has been open for too long: it is rolled back in the background, and all
   * statements until ROLLBACK, COMMIT or BEGIN are told so. Called between two commands.
   */
  public void expire(RefusedException why) {
    if (hasOpened()) {
      open.lose(why);
    }
  }

  /**
   * The session is over: everything is rolled back at once, in the background; pinned connections
   * are closed.
   */
  public void close() {
    open.giveUp();
    connections.close();
  }
}
