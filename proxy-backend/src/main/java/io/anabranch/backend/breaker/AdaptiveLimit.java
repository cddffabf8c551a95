package io.anabranch.backend.breaker;

import io.anabranch.rules.model.protection.OverloadSettings;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How many connections of one data source may be leased at a time: fewer while it answers more
 * slowly than it usually does, so that what it gets it can do. Windows of a tenth of a second and
 * some answers are compared by their medians, which a few long statements do not move. A slow
 * window takes from the limit in proportion to how slow it was, half of it at most; a good one adds
 * half, so that all connections are back within a second. What is usual follows slowly, so that a
 * database that stays slow is not held down for ever; where nothing is answered while somebody
 * waits, one more is given each second. Thread-safe; nothing waits: an answer that meets another
 * one's turn is not counted.
 */
public final class AdaptiveLimit implements AnswerListener {

  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int FEW_ANSWERS = 10;
  private static final int MOST_ANSWERS = 256;

  /** So many windows tell what is usual before anything is slow. */
  private static final int WINDOWS_TO_LEARN = 20;

  /** What is usual follows slower windows within a minute, and quicker ones within two seconds. */
  private static final double SLOWER_SHARE = 1.0 / 600;

  private static final double QUICKER_SHARE = 1.0 / 20;

  /** Differences that a pause of the collector or of a thread makes count for nothing. */
  private static final long NOTICED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final double MOST_TAKEN = 0.5;

  private final int most;
  private final int least;
  private final double tolerance;
  private final LongSupplier clock;
  private final Runnable changed;
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by lock
  private final long[] answers = new long[MOST_ANSWERS];
  private int count;
  private long since;
  private int windows;
  private double usual;

  private volatile int limit;

  /**
   * @param most connections that there may be
   * @param clock nanoseconds, as {@link System#nanoTime} has them
   * @param changed told when there is another limit, on the thread that has answered
   */
  public AdaptiveLimit(OverloadSettings settings, int most, LongSupplier clock, Runnable changed) {
    this.most = most;
    this.least = Math.min(most, settings.leastConnections());
    this.tolerance = settings.tolerance();
    this.clock = clock;
    this.changed = changed;
    this.limit = most;
    this.since = clock.getAsLong();
  }

  /** How many there may be now. */
  public int limit() {
    return limit;
  }

  @Override
  public long now() {
    return clock.getAsLong();
  }

  /** What ends with an error ends sooner, or later, for reasons of its own. */
  @Override
  public void answered(long begun, long heard, int errno) {
    if (errno != 0 || !lock.tryLock()) {
      return;
    }
    int before = limit;
    try {
      add(heard - begun);
    } finally {
      lock.unlock();
    }
    if (limit != before) {
      changed.run();
    }
  }

  @Override
  public void lost(long begun) {}

  /**
   * Somebody waits while connections are held back. Where nothing has been answered for a while
   * those that are leased may rest in transactions, and who waits would wait for ever.
   */
  public void waitedFor() {
    if (!lock.tryLock()) {
      return;
    }
    int before = limit;
    try {
      long now = clock.getAsLong();
      if (now - since >= LONGEST_WINDOW_NANOS) {
        if (count > 0) {
          judgeAll();
        } else {
          limit = Math.min(most, limit + 1);
        }
        begin(now);
      }
    } finally {
      lock.unlock();
    }
    if (limit != before) {
      changed.run();
    }
  }

  private void add(long nanos) {
    long now = clock.getAsLong();
    long age = now - since;
    if (age > REST_NANOS) {
      // nobody was there to be slowed down
      limit = most;
      begin(now);
      age = 0;
    }
    if (count < MOST_ANSWERS) {
      answers[count++] = nanos;
    }
    if (age >= LONGEST_WINDOW_NANOS || (age >= WINDOW_NANOS && count >= FEW_ANSWERS)) {
      judgeAll();
      begin(now);
    }
  }

  private void begin(long now) {
    since = now;
    count = 0;
  }

  private void judgeAll() {
    Arrays.sort(answers, 0, count);
    judge(answers[count / 2]);
  }

  private void judge(long median) {
    windows++;
    boolean isLearning = windows <= WINDOWS_TO_LEARN;
    boolean isSlow = !isLearning && median > usual * tolerance && median - usual > NOTICED_NANOS;
    if (isSlow) {
      double share = Math.max(MOST_TAKEN, usual * tolerance / median);
      limit = Math.max(least, (int) (limit * share));
    } else {
      limit = Math.min(most, limit + Math.max(1, limit / 2));
    }
    double follows = isLearning ? 1.0 / windows : median < usual ? QUICKER_SHARE : SLOWER_SHARE;
    usual += (median - usual) * follows;
  }
}
