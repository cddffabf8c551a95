package io.anabranch.frontend.notice;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * One log line in a while, with the number of those that were left out, so that whoever reaches a
 * port cannot fill the log. Thread-safe.
 */
public final class Pace {

  private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

  private final LongSupplier nanoTime;
  private final AtomicLong lastNanos;
  private final AtomicLong leftOut = new AtomicLong();

  /**
   * @param nanoTime as {@code System.nanoTime}
   */
  public Pace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastNanos = new AtomicLong(nanoTime.getAsLong() - PAUSE_NANOS);
  }

  /** How many were left out before the line that is due now; -1 if none is due. */
  public long next() {
    long now = nanoTime.getAsLong();
    long last = lastNanos.get();
    if (now - last >= PAUSE_NANOS && lastNanos.compareAndSet(last, now)) {
      return leftOut.getAndSet(0);
    }
    leftOut.incrementAndGet();
    return -1;
  }

  /**
   * What to put behind a line: {@code ""}, or that others were left out.
   *
   * @param leftOut see {@link #next}
   */
  public static String others(long leftOut) {
    return leftOut == 0 ? "" : "; " + leftOut + " more since the last such line";
  }
}
