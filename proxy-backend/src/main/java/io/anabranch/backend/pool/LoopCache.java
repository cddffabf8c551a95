package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one data source that an event loop keeps for a moment after a lease, so that the
 * next statement needs neither HikariCP nor another thread. Used on its event loop only; the size
 * alone may be read by others.
 */
final class LoopCache {

  /** How long a connection waits here for its next lease. */
  static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final EventLoop loop;
  private final Consumer<Checkout> returned;
  private final ArrayDeque<Checkout> plain = new ArrayDeque<>();
  private final ArrayDeque<Checkout> foundRows = new ArrayDeque<>();
  private boolean sweeping;
  private volatile int size;

  /**
   * @param returned takes connections that nobody wanted in time
   */
  LoopCache(EventLoop loop, Consumer<Checkout> returned) {
    this.loop = loop;
    this.returned = returned;
  }

  EventLoop loop() {
    return loop;
  }

  int size() {
    return size;
  }

  /** The connection used last; broken ones are returned on the way. */
  @Nullable Checkout take(boolean wantsFoundRows) {
    ArrayDeque<Checkout> free = wantsFoundRows ? foundRows : plain;
    for (Checkout last = free.pollLast(); last != null; last = free.pollLast()) {
      size = plain.size() + foundRows.size();
      if (!last.isBroken()) {
        return last;
      }
      returned.accept(last);
    }
    return null;
  }

  /**
   * @param now by the clock of the event loop
   */
  void put(Checkout checkout, long now) {
    checkout.cachedAt(now);
    (checkout.foundRows() ? foundRows : plain).addLast(checkout);
    size = plain.size() + foundRows.size();
    scheduleSweep();
  }

  /** The connection that has waited longest, for a request of another loop. */
  @Nullable Checkout yieldOne() {
    Checkout oldest = plain.isEmpty() ? foundRows.pollFirst() : plain.pollFirst();
    size = plain.size() + foundRows.size();
    return oldest;
  }

  private void scheduleSweep() {
    if (!sweeping) {
      sweeping = true;
      var _ = loop.schedule(this::sweep, IDLE_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void sweep() {
    sweeping = false;
    long now = loop.ticker().nanoTime();
    returnIdle(plain, now);
    returnIdle(foundRows, now);
    size = plain.size() + foundRows.size();
    if (size > 0) {
      scheduleSweep();
    }
  }

  private void returnIdle(ArrayDeque<Checkout> free, long now) {
    for (Checkout oldest = free.peekFirst();
        oldest != null && now - oldest.cachedAt() >= IDLE_NANOS;
        oldest = free.peekFirst()) {
      returned.accept(free.removeFirst());
    }
  }

  /** Returns everything. */
  void clear() {
    for (Checkout one = yieldOne(); one != null; one = yieldOne()) {
      returned.accept(one);
    }
  }
}
