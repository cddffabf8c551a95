package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.sql.TableNames;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connection that a session holds beyond one statement. */
final class Participant {

  /** What binds no other statement than those it is about. */
  private static final Set<Pin> LIGHT = Set.of(Pin.CURSOR, Pin.SEQUENCE);

  private static final String AUTOCOMMIT_ON = "SET autocommit=1";

  final Lease lease;
  final EnumSet<Pin> pins = EnumSet.noneOf(Pin.class);

  /** Commands that wait for the next statement. */
  static final int MOST_PENDING = 2 * Savepoints.MOST;

  /**
   * Names of locks that are told apart: a server is asked for each of them after each statement.
   */
  private static final int MOST_LOCKS = 256;

  /** Commands that have to run in front of the next statement, in order. */
  private final List<byte[]> pending = new ArrayList<>();

  private final LeaseDesk desk;

  /** Goes in front of what is pending; null: the connection is in its database. */
  private byte @Nullable [] use;

  private boolean opened;

  /** Whether the connection's autocommit is, or may be, off for the transaction. */
  private boolean uncommitting;

  /** Whether what is pending switches it on again. */
  private boolean recommits;

  /** Whether it may still have what SET TRANSACTION said of the next transaction. */
  private boolean expectsOther;

  private boolean changes;

  /** Whether what is pending rolls back what has been given up. */
  private boolean rollsBack;

  /** Whether a statement has run in the transaction. */
  private boolean used;

  private @Nullable Xid xid;

  /** Sequences that have surely been drawn from here, by their full names. */
  private Set<String> drawn = Set.of();

  /** Locks of GET_LOCK that it may have; null: it may have others as well. */
  private @Nullable Set<String> locks = Set.of();

  /** No fewer than there are. */
  private int temporaryTables;

  /** By way of which groups of its data source there came to be what it has. */
  private Set<String> groups = Set.of();

  /**
   * @param desk where the lease is from: names of data sources are unique within one desk only
   */
  Participant(LeaseDesk desk, Lease lease) {
    this.desk = desk;
    this.lease = lease;
  }

  /**
   * The same connection as one of another data source, with all that binds it to the session.
   *
   * @param schema what the server calls that database
   * @param isThere whether the connection is in it already
   */
  Participant movedTo(LeaseDesk to, String dataSource, String schema, boolean isThere) {
    var moved = new Participant(to, MovedLease.to(dataSource, lease));
    BackendConnection connection = lease.connection();
    if (connection != null) {
      connection.inSchema(schema);
    }
    moved.pins.addAll(pins);
    moved.pending.addAll(pending);
    moved.opened = opened;
    moved.uncommitting = uncommitting;
    moved.recommits = recommits;
    moved.expectsOther = expectsOther;
    moved.changes = changes;
    moved.rollsBack = rollsBack;
    moved.used = used;
    moved.temporaryTables = temporaryTables;
    moved.drawn = drawn;
    moved.locks = locks;
    moved.use =
        isThere ? null : ("USE " + TableNames.quoted(schema)).getBytes(StandardCharsets.UTF_8);
    return moved;
  }

  /** Whether it may become another data source's: not in XA. */
  boolean isMovable() {
    return xid == null;
  }

  @SuppressWarnings("ReferenceEquality") // desks and leases are told apart by identity
  boolean isOf(LeaseDesk from, String dataSource) {
    return desk == from && lease.dataSource().equals(dataSource);
  }

  @SuppressWarnings("ReferenceEquality") // desks and leases are told apart by identity
  boolean has(Lease candidate) {
    return lease == candidate;
  }

  /** Whether it is part of the open transaction. */
  boolean isOpened() {
    return opened;
  }

  /** Whether anything else than reads went there in the open transaction. */
  boolean changes() {
    return changes;
  }

  /** A statement that does more than read is about to go there. */
  void willChange() {
    changes = true;
  }

  /** A statement has run there. */
  void ran() {
    used = true;
  }

  /** Whether a statement has run there since the transaction was opened. */
  boolean hasRun() {
    return used;
  }

  Branch branch() {
    return new Branch(lease, xid, changes);
  }

  /** The database has opened the transaction already. */
  void adopt() {
    opened = true;
    changes = true;
  }

  /**
   * @param branch null for a plain transaction
   */
  void open(TransactionOptions options, @Nullable Xid branch) {
    opened = true;
    xid = branch;
    (branch == null ? options.opening() : options.opening(branch)).forEach(this::queue);
  }

  /** The same without BEGIN, which would end LOCK TABLES. */
  void openLocked() {
    opened = true;
    xid = null;
    uncommit();
  }

  /** A program is to find autocommit as the session has it: off. Not within a branch of XA. */
  void uncommit() {
    if (xid == null && (!uncommitting || recommits)) {
      uncommitting = true;
      recommits = false;
      queue("SET autocommit=0");
    }
  }

  private void recommit() {
    recommits = true;
    queue(AUTOCOMMIT_ON);
  }

  /** Whether the connection's autocommit is, or may be, off. */
  boolean isUncommitting() {
    return uncommitting;
  }

  /** A program has switched autocommit on. */
  void commits() {
    uncommitting = false;
    recommits = false;
  }

  /** A program has switched autocommit off on the connection: it is on between transactions. */
  void uncommits(boolean inTransaction) {
    uncommitting = true;
    if (inTransaction) {
      adopt();
    } else {
      recommit();
    }
  }

  /** Whether it can be spoken to on that event loop, with nothing that is still due. */
  boolean isIdleOn(EventLoop loop) {
    BackendConnection connection = lease.connection();
    return connection != null
        && connection.channel().eventLoop().equals(loop)
        && pending.isEmpty()
        && use == null;
  }

  boolean isFull() {
    return pending.size() >= MOST_PENDING;
  }

  void queue(String command) {
    pending.add(command.getBytes(StandardCharsets.UTF_8));
  }

  List<byte[]> pending() {
    byte[] first = use;
    if (first == null) {
      return pending;
    }
    var all = new ArrayList<byte[]>(pending.size() + 1);
    all.add(first);
    all.addAll(pending);
    return all;
  }

  void sent() {
    pending.clear();
    uncommitting &= !recommits;
    recommits = false;
    use = null;
    rollsBack = false;
  }

  /** The transaction is over on this connection. */
  void ended() {
    opened = false;
    changes = false;
    used = false;
    xid = null;
    pending.clear();
    if (uncommitting) {
      recommit();
    }
  }

  /** The transaction is given up: it is rolled back in front of whatever comes next. */
  void rollbackLater() {
    List<String> commands = branch().rollback();
    ended();
    List<byte[]> behind = List.copyOf(pending);
    pending.clear();
    commands.forEach(this::queue);
    // autocommit that is switched on commits what is open
    pending.addAll(behind);
    rollsBack = true;
  }

  /** Whether its transaction has been given up, and the database does not know yet. */
  boolean rollsBack() {
    return rollsBack;
  }

  /** A statement made one, if there was none of that name. */
  void madeTemporaryTable() {
    temporaryTables++;
  }

  /**
   * A statement dropped so many.
   *
   * @return whether there is none any more
   */
  boolean droppedTemporaryTables(int count) {
    temporaryTables -= count;
    return temporaryTables <= 0;
  }

  /**
   * The state is gone.
   *
   * @return whether it was there
   */
  boolean unpin(Pin pin) {
    if (pin == Pin.USER_LOCK) {
      locks = Set.of();
    }
    return pins.remove(pin);
  }

  /**
   * A statement may have taken locks of GET_LOCK.
   *
   * @param names null if they are not known
   */
  void locked(@Nullable Set<String> names) {
    pins.add(Pin.USER_LOCK);
    Set<String> before = locks;
    Set<String> all = before == null || names == null ? null : union(before, names);
    locks = all == null || all.size() > MOST_LOCKS ? null : all;
  }

  /** Null if not all are known. */
  @Nullable Set<String> locks() {
    return locks;
  }

  /** A statement has drawn from sequences. */
  void drew(Set<String> surely) {
    pins.add(Pin.SEQUENCE);
    drawn = union(drawn, surely);
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    if (some.containsAll(more)) {
      return some;
    }
    var all = new HashSet<>(some);
    all.addAll(more);
    return Set.copyOf(all);
  }

  /** Whether the connection knows what the sequence gave last. */
  boolean hasDrawn(String sequence) {
    return drawn.contains(sequence);
  }

  /** Whether the session's next statements have to run there. */
  boolean binds() {
    return opened || pins.isEmpty() || !LIGHT.containsAll(pins);
  }

  /** Whether it has what the session cannot have again and counts on. */
  boolean hasState() {
    return !LIGHT.containsAll(pins);
  }

  /** What the session cannot have again may be there because a group's statements came there. */
  @SuppressWarnings("ReferenceEquality") // desks are told apart by identity
  void stateIsOf(LeaseDesk from, String group) {
    if (desk == from) {
      groups = union(groups, Set.of(group));
    }
  }

  @SuppressWarnings("ReferenceEquality") // desks are told apart by identity
  boolean hasStateOf(LeaseDesk from, String group) {
    return desk == from && groups.contains(group);
  }

  /** Whether the session can do without it, for others that wait. */
  boolean yields() {
    return !opened && pending.isEmpty() && pins.size() == 1 && pins.contains(Pin.SEQUENCE);
  }

  /** SET TRANSACTION went in front of a statement that may not have been that transaction. */
  void mayExpectOther() {
    expectsOther = true;
  }

  /** Gives the connection back, in the state in which it was had. */
  void letGo() {
    if (uncommitting) {
      lease.discard("it commits no statement by itself");
    } else if (expectsOther) {
      lease.discard("it may still have what SET TRANSACTION said");
    } else {
      lease.release();
    }
  }

  /** Whether it can be given back: nothing binds it to the session, and nothing is open. */
  boolean isFree() {
    return !opened && !rollsBack && pins.isEmpty();
  }
}
