package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Those of one user and one event loop who wait for a connection, first come, first served, apart
 * by whether they have connections already. Guarded by the lock of its {@link Gate}.
 */
final class WaitLine {

  /** Waits that differ by less are alike. */
  static final long ALIKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final EventLoop loop;
  private final SequencedSet<Waiter> joining = new LinkedHashSet<>();
  private final SequencedSet<Waiter> others = new LinkedHashSet<>();

  WaitLine(EventLoop loop) {
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  void add(Waiter waiter) {
    queue(waiter.isJoining()).add(waiter);
  }

  /** Whether it was there. */
  boolean remove(Waiter waiter) {
    return queue(waiter.isJoining()).remove(waiter);
  }

  @Nullable Waiter first(boolean isJoining) {
    SequencedSet<Waiter> queue = queue(isJoining);
    return queue.isEmpty() ? null : queue.getFirst();
  }

  /** The first leaves; there is one. */
  Waiter take(boolean isJoining) {
    return queue(isJoining).removeFirst();
  }

  /** Whether its first has waited so much longer than the first of another that he is next. */
  boolean isPassedOver(WaitLine other, boolean isJoining, long now) {
    Waiter first = first(isJoining);
    Waiter others = other.first(isJoining);
    return first != null
        && others != null
        && now - first.sinceNanos() > 2 * (now - others.sinceNanos()) + ALIKE_NANOS;
  }

  boolean isEmpty() {
    return joining.isEmpty() && others.isEmpty();
  }

  void addJoiningTo(Collection<Waiter> all) {
    all.addAll(joining);
  }

  void addOthersTo(Collection<Waiter> all) {
    all.addAll(others);
  }

  private SequencedSet<Waiter> queue(boolean isJoining) {
    return isJoining ? joining : others;
  }
}
