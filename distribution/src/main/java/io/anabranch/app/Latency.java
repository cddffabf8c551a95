package io.anabranch.app;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The buckets that all latency histograms of the proxy share, 50 microseconds to 10 seconds. */
final class Latency {

  private static final Duration[] BUCKETS = {
    Duration.ofNanos(50_000),
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10)
  };

  private Latency() {}

  static Timer.Builder timer(String name, String description) {
    return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
  }

  /** The upper bounds of the buckets, ascending. */
  static long[] boundsInNanos() {
    long[] bounds = new long[BUCKETS.length];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = BUCKETS[i].toNanos();
    }
    return bounds;
  }
}
