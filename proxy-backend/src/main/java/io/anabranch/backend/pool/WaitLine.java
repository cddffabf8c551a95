package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Those of one event loop who wait for a connection, first come, first served, apart by whether
 * they have connections already. Guarded by the lock of its {@link Gate}.
 */
final class WaitLine {

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
