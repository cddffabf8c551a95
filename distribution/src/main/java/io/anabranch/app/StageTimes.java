package io.anabranch.app;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The histogram that every statement goes into two or three times: a fixed set of buckets without
 * the moving windows of a Micrometer timer, which cost more than planning a cached statement.
 * Thread-safe.
 */
final class StageTimes implements Collector {

  private static final String NAME = "anabranch_statement_stage_seconds";
  private static final double NANOS_PER_SECOND = 1e9;

  private final LoopTallies tallies;
  private final List<Series> all = new CopyOnWriteArrayList<>();

  /**
   * @param tallies that have no tally yet
   */
  StageTimes(LoopTallies tallies) {
    this.tallies = tallies;
  }

  /** A new series; made once and kept by its user. */
  Series series(String lane, String stage) {
    var made = new Series(Labels.of("lane", lane, "stage", stage), tallies);
    all.add(made);
    return made;
  }

  @Override
  public HistogramSnapshot collect() {
    var snapshot =
        HistogramSnapshot.builder().name(NAME).help("Time of statements by lane and stage");
    for (Series each : all) {
      snapshot.dataPoint(each.snapshot());
    }
    return snapshot.build();
  }

  /** The times of one lane and stage. */
  static final class Series {
    private final Labels labels;
    private final LoopTallies tallies;
    private final long[] bounds = Latency.boundsInNanos();

    /** Of the first bucket's count; the sum of all times is behind the last one's. */
    private final int place;

    private Series(Labels labels, LoopTallies tallies) {
      this.labels = labels;
      this.tallies = tallies;
      place = tallies.reserve(bounds.length + 2);
    }

    void record(LoopTally tally, long nanos) {
      int bucket = 0;
      while (bucket < bounds.length && nanos > bounds[bucket]) {
        bucket++;
      }
      tally.add(place + bucket, 1);
      tally.add(place + bounds.length + 1, nanos);
    }

    private HistogramDataPointSnapshot snapshot() {
      var buckets = ClassicHistogramBuckets.builder();
      for (int i = 0; i <= bounds.length; i++) {
        double bound = i < bounds.length ? bounds[i] / NANOS_PER_SECOND : Double.POSITIVE_INFINITY;
        buckets.bucket(bound, tallies.sum(place + i));
      }
      return HistogramDataPointSnapshot.builder()
          .labels(labels)
          .classicHistogramBuckets(buckets.build())
          .sum(tallies.sum(place + bounds.length + 1) / NANOS_PER_SECOND)
          .build();
    }
  }
}
