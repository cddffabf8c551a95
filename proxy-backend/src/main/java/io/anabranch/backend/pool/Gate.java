package io.anabranch.backend.pool;

import io.anabranch.rules.model.protection.Priority;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one data source, and those who wait for one; a limit may hold some of the permits
 * back, though not from those who have connections of other data sources. Those who have
 * connections of other data sources already go in front of those who have none, which finishes what
 * has begun before more begins. Otherwise users take turns, however many sessions of one wait; of
 * one user it is first come, first served within an event loop and a priority. A connection stays
 * on its event loop, because moving it costs more than the lease, until somebody of another one has
 * waited twice as long as the first who waits here, or has not had the turn that the user here has
 * had. Thread-safe; the lock is held for moments only.
 */
final class Gate {

  private final int permits;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock:
  /** Who wait, whose turn is next in front. */
  private final SequencedMap<String, UserLines> users = new LinkedHashMap<>();

  /** Those without connections by priority, LOW first, and user, in the order of their coming. */
  private final Map<Priority, Map<String, SequencedSet<Waiter>>> dispensable =
      new EnumMap<>(Priority.class);

  private int length;
  private int joining;
  private int free;

  /** Permits that are taken, for a look without the lock. */
  private volatile int taken;

  /** How many wait, for a look without the lock. */
  private volatile int waiting;

  /** Permits that may be taken now. */
  private volatile int limit;

  private volatile boolean closed;

  /** What became of a request. */
  enum Entry {
    /** It has a permit. */
    GRANTED,
    /** It stands in line. */
    IN_LINE,
    CLOSED
  }

  Gate(int permits) {
    this.permits = permits;
    this.free = permits;
    this.limit = permits;
  }

  /** Permits that are taken. */
  int taken() {
    return taken;
  }

  /** Requests in line. */
  int waiting() {
    return waiting;
  }

  /** Permits that may be taken now, but by those who have connections of other data sources. */
  int limit() {
    return limit;
  }

  /** Whether more are taken than may be: some are to come back and stay. */
  boolean isOver() {
    return taken > limit;
  }

  boolean isClosed() {
    return closed;
  }

  /** Takes a permit, or a place in line. */
  Entry enter(Waiter waiter) {
    lock.lock();
    try {
      if (closed) {
        return Entry.CLOSED;
      }
      if (mayEnter(waiter)) {
        grant();
        return Entry.GRANTED;
      }
      users.computeIfAbsent(waiter.user(), _ -> new UserLines()).add(waiter);
      changed(1, waiter);
      return Entry.IN_LINE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Leaves the line.
   *
   * @return false if it was not there any more: somebody serves it
   */
  boolean leave(Waiter waiter) {
    lock.lock();
    try {
      UserLines lines = users.get(waiter.user());
      boolean wasInLine = lines != null && lines.remove(waiter);
      if (wasInLine) {
        changed(-1, waiter);
      }
      if (lines != null && lines.isEmpty()) {
        users.remove(waiter.user());
      }
      return wasInLine;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the next out of the lines, if it wants this flavour: a permit comes with a connection.
   *
   * @param loop where the connection is
   * @param now by the clock of the event loops
   */
  @Nullable Waiter first(boolean foundRows, EventLoop loop, long now) {
    lock.lock();
    try {
      WaitLine from = nextLine(loop, now);
      Waiter first = from == null ? null : from.first(joining > 0);
      if (isHeldBack()
          || from == null
          || first == null
          || first.request().foundRows() != foundRows) {
        return null;
      }
      return take(from);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a permit back.
   *
   * @return whose turn it is, and who has it now; null if nobody waits
   */
  @Nullable Waiter freed() {
    lock.lock();
    try {
      UserLines turn = isHeldBack() ? null : turn();
      WaitLine from = turn == null ? null : turn.longest(joining > 0);
      if (from == null) {
        free++;
        taken = permits - free;
        return null;
      }
      return take(from);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets so many permits be taken from now on.
   *
   * @param next asked in turn with others, so that the last answer holds
   * @return those in line who have one now
   */
  List<Waiter> limit(IntSupplier next) {
    lock.lock();
    try {
      limit = Math.min(permits, next.getAsInt());
      var granted = new ArrayList<Waiter>();
      while (free > 0 && (taken < limit || joining > 0)) {
        UserLines turn = turn();
        WaitLine from = turn == null ? null : turn.longest(joining > 0);
        if (from == null) {
          break;
        }
        grant();
        granted.add(take(from));
      }
      return granted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Who came last, of the user of the lowest priority who has most in line; null: there is nobody,
   * but for those who have connections already. So a flood of one user sends nobody else away.
   *
   * @param highest of whom somebody may be given
   */
  @Nullable Waiter leastOf(Priority highest) {
    lock.lock();
    try {
      for (Map.Entry<Priority, Map<String, SequencedSet<Waiter>>> each : dispensable.entrySet()) {
        if (each.getKey().compareTo(highest) <= 0 && !each.getValue().isEmpty()) {
          return lastOfMost(each.getValue().values());
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Of users who have as many in line, who came last. */
  private static Waiter lastOfMost(Collection<SequencedSet<Waiter>> ofUsers) {
    SequencedSet<Waiter> most = ofUsers.iterator().next();
    for (SequencedSet<Waiter> each : ofUsers) {
      boolean isLater = each.getLast().sinceNanos() - most.getLast().sinceNanos() > 0;
      if (each.size() > most.size() || (each.size() == most.size() && isLater)) {
        most = each;
      }
    }
    return most.getLast();
  }

  /**
   * Lets nobody in any more.
   *
   * @return those in line, who are there no longer; null if it was closed before
   */
  @Nullable List<Waiter> close() {
    lock.lock();
    try {
      if (closed) {
        return null;
      }
      closed = true;
      List<Waiter> left = all();
      users.clear();
      dispensable.clear();
      length = 0;
      joining = 0;
      waiting = 0;
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Those in line. */
  List<Waiter> inLine() {
    if (waiting == 0) {
      return List.of();
    }
    lock.lock();
    try {
      return all();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is closed and all permits have come back. */
  boolean isDeserted() {
    lock.lock();
    try {
      return closed && free == permits;
    } finally {
      lock.unlock();
    }
  }

  // ---- under the lock

  private boolean mayEnter(Waiter waiter) {
    return waiter.isJoining() ? free > 0 && joining == 0 : taken < limit && length == 0;
  }

  private void grant() {
    free--;
    taken = permits - free;
  }

  /** Whether a permit that comes back is nobody's. */
  private boolean isHeldBack() {
    return taken > limit && joining == 0;
  }

  private void changed(int by, Waiter waiter) {
    if (!waiter.isJoining()) {
      Map<String, SequencedSet<Waiter>> alike =
          dispensable.computeIfAbsent(waiter.priority(), _ -> new HashMap<>());
      SequencedSet<Waiter> own = alike.computeIfAbsent(waiter.user(), _ -> new LinkedHashSet<>());
      var _ = by > 0 ? own.add(waiter) : own.remove(waiter);
      if (own.isEmpty()) {
        alike.remove(waiter.user());
      }
    }
    length += by;
    joining += waiter.isJoining() ? by : 0;
    waiting = length;
  }

  private Waiter take(WaitLine from) {
    Waiter next = from.take(joining > 0);
    changed(-1, next);
    UserLines lines = users.remove(next.user());
    if (lines != null) {
      lines.hadTurn();
      if (!lines.isEmpty()) {
        users.put(next.user(), lines);
      }
    }
    return next;
  }

  /** The lines of the user whose turn it is; null if nobody waits. */
  private @Nullable UserLines turn() {
    for (UserLines lines : users.values()) {
      if (lines.longest(joining > 0) != null) {
        return lines;
      }
    }
    return null;
  }

  /** The line whose turn it is where a connection of this event loop is free. */
  @SuppressWarnings("ReferenceEquality") // of each user there is one
  private @Nullable WaitLine nextLine(EventLoop loop, long now) {
    boolean isJoining = joining > 0;
    UserLines turn = turn();
    for (UserLines here : users.values()) {
      WaitLine next = here.next(loop, isJoining, now);
      if (next != null) {
        WaitLine longest = here == turn || turn == null ? null : turn.longest(isJoining);
        boolean isUnfair =
            longest != null && (here.isBehind() || longest.isPassedOver(next, isJoining, now));
        return isUnfair ? longest : next;
      }
    }
    return turn == null ? null : turn.longest(isJoining);
  }

  private List<Waiter> all() {
    var all = new ArrayList<Waiter>(length);
    users.values().forEach(lines -> lines.addJoiningTo(all));
    users.values().forEach(lines -> lines.addOthersTo(all));
    return all;
  }
}
