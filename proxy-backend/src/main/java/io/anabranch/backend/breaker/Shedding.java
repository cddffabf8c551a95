package io.anabranch.backend.breaker;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * When some of those who wait for a data source's connections are sent away, so that the others get
 * one: where the line is longer than it may be, or moves so slowly that the last one would wait
 * longer than anybody may. Thread-safe; only those who wait come here.
 */
public final class Shedding {

  /** What one connection that is given to the line says of the next. */
  private static final double SHARE = 0.1;

  private final String dataSource;
  private final int queue;
  private final long longestNanos;
  private final LongAdder shed = new LongAdder();

  // guarded by this
  private long served;
  private double interval;

  /**
   * @param queue that may wait; 0: any number
   * @param longestMilliseconds that anybody may wait
   */
  public Shedding(String dataSource, int queue, long longestMilliseconds) {
    this.dataSource = dataSource;
    this.queue = queue;
    this.longestNanos = TimeUnit.MILLISECONDS.toNanos(longestMilliseconds);
  }

  /** The first one has begun to wait. */
  public synchronized void begins(long now) {
    served = now;
    interval = 0;
  }

  /** One of those who wait is given a connection. */
  public synchronized void served(long now) {
    double passed = Math.max(0, now - served);
    interval = interval == 0 ? passed : interval + (passed - interval) * SHARE;
    served = now;
  }

  /**
   * The highest priority of whom somebody is to be sent away, now that one more has come; null:
   * nobody is.
   *
   * @param waiting how many wait
   */
  public @Nullable Priority upTo(int waiting, long now) {
    if (queue > 0 && waiting > queue) {
      return Priority.HIGH;
    }
    return expectedNanos(waiting, now) > longestNanos ? Priority.LOW : null;
  }

  private synchronized double expectedNanos(int waiting, long now) {
    return waiting * Math.max(interval, (double) (now - served));
  }

  /** What somebody is told who is sent away. */
  public RefusedException refusal(int waiting, long now) {
    shed.increment();
    long milliseconds = TimeUnit.NANOSECONDS.toMillis((long) expectedNanos(waiting, now));
    return ErrorCatalogue.OVERLOADED.refuse(dataSource, waiting, Math.max(1, milliseconds));
  }

  /** How many were sent away. */
  public long shed() {
    return shed.sum();
  }
}
