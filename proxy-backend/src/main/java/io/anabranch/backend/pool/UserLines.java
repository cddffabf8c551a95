package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one user's sessions, an event loop's each. Guarded by the lock of its {@link Gate}.
 */
final class UserLines {

  /** They are few, and looked through for each request that waits. */
  private final List<WaitLine> lines = new ArrayList<>();

  private boolean isBehind;

  void add(Waiter waiter) {
    lineOf(waiter.request().loop()).add(waiter);
  }

  /** Whether it was there. */
  boolean remove(Waiter waiter) {
    return lineOf(waiter.request().loop()).remove(waiter);
  }

  /** The first of one of its lines has left, which was its turn. */
  void hadTurn() {
    isBehind = true;
  }

  /** Whether it has had a turn, which those in front of it have not had since they came. */
  boolean isBehind() {
    return isBehind;
  }

  boolean isEmpty() {
    return lines.stream().allMatch(WaitLine::isEmpty);
  }

  /** The line whose first has waited longest; null if nobody waits. */
  @Nullable WaitLine longest(boolean isJoining) {
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

  /**
   * The line that is next where a connection of this event loop is free; null if nobody waits
   * there.
   */
  @Nullable WaitLine next(EventLoop loop, boolean isJoining, long now) {
    WaitLine here = lineOf(loop);
    WaitLine longest = longest(isJoining);
    if (here.first(isJoining) == null || longest == null) {
      return null;
    }
    return longest.isPassedOver(here, isJoining, now) ? longest : here;
  }

  void addJoiningTo(Collection<Waiter> all) {
    lines.forEach(line -> line.addJoiningTo(all));
  }

  void addOthersTo(Collection<Waiter> all) {
    lines.forEach(line -> line.addOthersTo(all));
  }

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
}
