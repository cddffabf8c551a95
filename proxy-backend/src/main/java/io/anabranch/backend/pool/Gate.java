package io.anabranch.backend.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one data source, and the line of those who wait for one: first come, first served,
 * but those who have connections of other data sources already go in front of those who have none,
 * which finishes what has begun before more begins. Thread-safe; the lock is held for moments only.
 */
final class Gate {

  private final int permits;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock:
  private final ArrayDeque<Waiter> joining = new ArrayDeque<>();
  private final ArrayDeque<Waiter> line = new ArrayDeque<>();
  private int free;

  /** Permits that are taken, for a look without the lock. */
  private volatile int taken;

  /** Length of the line, for a look without the lock. */
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
      if (free > 0 && length() == 0) {
        free--;
        taken = permits - free;
        return Entry.GRANTED;
      }
      (waiter.isJoining() ? joining : line).addLast(waiter);
      waiting = length();
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
      boolean wasInLine = (waiter.isJoining() ? joining : line).remove(waiter);
      waiting = length();
      return wasInLine;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the first out of the line, if it wants this flavour: a permit comes with a connection.
   */
  @Nullable Waiter first(boolean foundRows) {
    lock.lock();
    try {
      Waiter first = (joining.isEmpty() ? line : joining).peekFirst();
      if (first == null || first.request().foundRows() != foundRows) {
        return null;
      }
      return next();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a permit back.
   *
   * @return the first in line, which has it now; null if nobody waits
   */
  @Nullable Waiter freed() {
    lock.lock();
    try {
      Waiter next = next();
      if (next == null) {
        free++;
        taken = permits - free;
      }
      return next;
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
      List<Waiter> left = new ArrayList<>(joining);
      left.addAll(line);
      joining.clear();
      line.clear();
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
      List<Waiter> all = new ArrayList<>(joining);
      all.addAll(line);
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private int length() {
    return joining.size() + line.size();
  }

  /** Under the lock. */
  private @Nullable Waiter next() {
    Waiter next = joining.isEmpty() ? line.pollFirst() : joining.pollFirst();
    waiting = length();
    return next;
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
}
