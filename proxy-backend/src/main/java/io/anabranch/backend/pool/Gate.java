package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one data source, and the lines of those who wait for one, an event loop's each.
 * Those who have connections of other data sources already go in front of those who have none,
 * which finishes what has begun before more begins. Otherwise it is first come, first served within
 * a line; between the lines a connection stays on its event loop, because moving it costs more than
 * the lease, until somebody of another one has waited twice as long as the first who waits here.
 * Thread-safe; the lock is held for moments only.
 */
final class Gate {

  /** Waits that differ by less are alike. */
  static final long ALIKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int permits;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock:
  /** They are few, and looked through for each request that waits. */
  private final List<WaitLine> lines = new ArrayList<>();

  private int length;
  private int joining;
  private int free;

  /** Permits that are taken, for a look without the lock. */
  private volatile int taken;

  /** How many wait, for a look without the lock. */
  private volatile int waiting;

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
  }

  /** Permits that are taken. */
  int taken() {
    return taken;
  }

  /** Requests in line. */
  int waiting() {
    return waiting;
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
      if (free > 0 && length == 0) {
        free--;
        taken = permits - free;
        return Entry.GRANTED;
      }
      lineOf(waiter.request().loop()).add(waiter);
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
      boolean wasInLine = lineOf(waiter.request().loop()).remove(waiter);
      if (wasInLine) {
        changed(-1, waiter);
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
      if (from == null || first == null || first.request().foundRows() != foundRows) {
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
   * @return who has waited longest, and has it now; null if nobody waits
   */
  @Nullable Waiter freed() {
    lock.lock();
    try {
      WaitLine from = longest();
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
      lines.clear();
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

  @SuppressWarnings("ReferenceEquality") // loops are told apart by identity
  private WaitLine lineOf(EventLoop loop) {
    for (WaitLine line : lines) {
      if (line.loop() == loop) {
        return line;
      }
    }
    var line = new WaitLine(loop);
    lines.add(line);
    return line;
  }

  private void changed(int by, Waiter waiter) {
    length += by;
    joining += waiter.isJoining() ? by : 0;
    waiting = length;
  }

  private Waiter take(WaitLine from) {
    Waiter next = from.take(joining > 0);
    changed(-1, next);
    return next;
  }

  /** The line whose first has waited longest; null if nobody waits. */
  private @Nullable WaitLine longest() {
    boolean isJoining = joining > 0;
    WaitLine longest = null;
    Waiter longestFirst = null;
    for (WaitLine line : lines) {
      Waiter first = line.first(isJoining);
      if (first != null
          && (longestFirst == null || first.sinceNanos() - longestFirst.sinceNanos() < 0)) {
        longest = line;
        longestFirst = first;
      }
    }
    return longest;
  }

  /** The line whose turn it is where a connection of this event loop is free. */
  private @Nullable WaitLine nextLine(EventLoop loop, long now) {
    WaitLine here = lineOf(loop);
    Waiter own = here.first(joining > 0);
    WaitLine longest = longest();
    if (own == null || longest == null) {
      return longest;
    }
    Waiter other = longest.first(joining > 0);
    boolean isUnfair =
        other != null && now - other.sinceNanos() > 2 * (now - own.sinceNanos()) + ALIKE_NANOS;
    return isUnfair ? longest : here;
  }

  private List<Waiter> all() {
    var all = new ArrayList<Waiter>(length);
    lines.forEach(line -> line.addJoiningTo(all));
    lines.forEach(line -> line.addOthersTo(all));
    return all;
  }
}
