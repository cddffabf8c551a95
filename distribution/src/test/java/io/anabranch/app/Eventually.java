package io.anabranch.app;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do in their own time. */
public final class Eventually {

  /** InnoDB's tables of transactions and locks stand still while they are read more often. */
  private static final long LOOK_AGAIN = Duration.ofMillis(120).toNanos();

  private Eventually() {}

  /** Looks until it holds; fails after a minute. */
  public static void holds(String what, BooleanSupplier condition) {
    holds(Duration.ofMinutes(1), what, condition);
  }

  public static void holds(Duration limit, String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN);
    }
  }
}
