package io.anabranch.frontend.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyBucketsTest {

  @Test
  void longerTimesFallIntoNoLowerBucket() {
    int last = 0;
    for (long nanos = 1; nanos > 0 && nanos < 1L << 50; nanos += 1 + nanos / 7) {
      int bucket = LatencyBuckets.of(nanos);
      assertThat(bucket).isBetween(last, LatencyBuckets.COUNT - 1);
      last = bucket;
    }
    assertThat(last).isEqualTo(LatencyBuckets.COUNT - 1);
  }

  @Test
  void percentilesAreWithinTheirBucket() {
    var counts = new long[LatencyBuckets.COUNT];
    for (int i = 1; i <= 1000; i++) {
      counts[LatencyBuckets.of(i * 1_000_000L)]++;
    }
    Percentage half = Percentage.withPercentage(50);
    assertThat(LatencyBuckets.percentile(counts, 50, 1_000_000_000L)).isCloseTo(500_000_000L, half);
    assertThat(LatencyBuckets.percentile(counts, 99, 1_000_000_000L)).isCloseTo(990_000_000L, half);
  }

  @Test
  void noneExceedsTheLongest() {
    var counts = new long[LatencyBuckets.COUNT];
    counts[LatencyBuckets.of(70_000)] = 1;
    assertThat(LatencyBuckets.percentile(counts, 99, 70_000)).isLessThanOrEqualTo(70_000);
  }
}
