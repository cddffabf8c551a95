package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Those of one event loop who wait for a connection, first come, first served, apart by whether
 * they have connections already. Guarded by the lock of its {@link Gate}.
 */
final class WaitLine {

  private final EventLoop loop;
  private final ArrayDeque<Waiter> joining = new ArrayDeque<>();
  private final ArrayDeque<Waiter> others = new ArrayDeque<>();

  WaitLine(EventLoop loop) {
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  void add(Waiter waiter) {
    queue(waiter.isJoining()).addLast(waiter);
  }

  /** Whether it was there. */
  boolean remove(Waiter waiter) {
    return queue(waiter.isJoining()).remove(waiter);
  }

  @Nullable Waiter first(boolean isJoining) {
    return queue(isJoining).peekFirst();
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

  private ArrayDeque<Waiter> queue(boolean isJoining) {
    return isJoining ? joining : others;
  }
}
