package io.anabranch.frontend.statistics;

/**
 * Buckets of a logarithmic scale, two in each power of two from 16 microseconds to half a minute:
 * what falls into one differs by less than half.
 */
final class LatencyBuckets {

  private static final int LOWEST_BIT = 14;
  private static final int HIGHEST_BIT = 35;

  static final int COUNT = (HIGHEST_BIT - LOWEST_BIT) * 2;

  private LatencyBuckets() {}

  static int of(long nanos) {
    if (nanos < 1L << LOWEST_BIT) {
      return 0;
    }
    int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int half = (int) (nanos >>> (bit - 1)) & 1;
    return Math.min(COUNT - 1, (bit - LOWEST_BIT) * 2 + half);
  }

  /** The least that falls into it. */
  private static long floor(int bucket) {
    if (bucket == 0) {
      return 0;
    }
    long power = 1L << (LOWEST_BIT + bucket / 2);
    return bucket % 2 == 0 ? power : power + power / 2;
  }

  /**
   * The time that so many in a hundred do not exceed, as near as buckets tell.
   *
   * @param counts by bucket
   * @param most the longest that there was
   */
  static long percentile(long[] counts, double percent, long most) {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    double wanted = all * percent / 100;
    double passed = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (counts[bucket] > 0 && passed + counts[bucket] >= wanted) {
        long low = floor(bucket);
        long high = bucket + 1 < counts.length ? floor(bucket + 1) : most;
        double part = (wanted - passed) / counts[bucket];
        return Math.min(most, low + Math.round((high - low) * part));
      }
      passed += counts[bucket];
    }
    return most;
  }
}
