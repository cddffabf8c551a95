package io.anabranch.app;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * The histogram that every statement goes into two or three times: a fixed set of buckets without
 * the moving windows of a Micrometer timer, which cost more than planning a cached statement.
 * Thread-safe.
 */
final class StageTimes implements Collector {

  private static final String NAME = "anabranch_statement_stage_seconds";
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Series> all = new CopyOnWriteArrayList<>();

  /** A new series; made once and kept by its user. */
  Series series(String lane, String stage) {
    var made = new Series(Labels.of("lane", lane, "stage", stage));
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
    private final long[] bounds = Latency.boundsInNanos();
    private final LongAdder[] counts = new LongAdder[bounds.length + 1];
    private final LongAdder total = new LongAdder();

    private Series(Labels labels) {
      this.labels = labels;
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    void record(long nanos) {
      int bucket = 0;
      while (bucket < bounds.length && nanos > bounds[bucket]) {
        bucket++;
      }
      counts[bucket].increment();
      total.add(nanos);
    }

    private HistogramDataPointSnapshot snapshot() {
      var buckets = ClassicHistogramBuckets.builder();
      for (int i = 0; i < counts.length; i++) {
        double bound = i < bounds.length ? bounds[i] / NANOS_PER_SECOND : Double.POSITIVE_INFINITY;
        buckets.bucket(bound, counts[i].sum());
      }
      return HistogramDataPointSnapshot.builder()
          .labels(labels)
          .classicHistogramBuckets(buckets.build())
          .sum(total.sum() / NANOS_PER_SECOND)
          .build();
    }
  }
}
