package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives so many tokens in a second, and after a rest a burst of them. Keeps one time only: when the
 * bucket will be full again. Thread-safe, without locks.
 */
final class TokenBucket {

  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong full;

  /**
   * A full one.
   *
   * @param now in nanoseconds of a clock without an epoch
   */
  TokenBucket(long now) {
    full = new AtomicLong(now);
  }

  /**
   * Takes one.
   *
   * @param rate a limited one
   * @return 0, or the nanoseconds until there will be one; then none was taken
   */
  long take(Limit.Rate rate, long now) {
    long interval = NANOS_PER_SECOND / rate.perSecond();
    long most = interval * rate.burst();
    while (true) {
      long before = full.get();
      long next = (before - now > 0 ? before : now) + interval;
      long missing = next - now - most;
      if (missing > 0) {
        return missing;
      }
      if (full.compareAndSet(before, next)) {
        return 0;
      }
    }
  }
}
