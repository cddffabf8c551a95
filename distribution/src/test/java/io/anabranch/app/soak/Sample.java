package io.anabranch.app.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What a proxy takes at one moment, its clients standing still, and how long it took for statements
 * since the sample before.
 *
 * @param second since the beginning
 * @param steps of clients that went well since the beginning
 * @param errors that clients got since the beginning
 * @param faults since the beginning
 * @param heap bytes that live
 * @param direct bytes of packets' buffers
 * @param resident bytes as the operating system counts them
 * @param prepared statements that the databases keep for all
 * @param relayed latencies of a statement of one row on its way to one database
 * @param merged of one over all databases
 * @param straight of the first without a proxy between
 */
record Sample(
    long second,
    long steps,
    long errors,
    long faults,
    long heap,
    long direct,
    long resident,
    long descriptors,
    long threads,
    long prepared,
    Percentiles relayed,
    Percentiles merged,
    Percentiles straight) {

  static final String HEADER =
      """
      | minute | steps | errors of clients | faults | heap MB | direct MB | resident MB | descriptors | threads | prepared | relayed p50/p99 ms | merged p50/p99 ms | without proxy p50/p99 ms |
      | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      """;

  String row() {
    return String.format(
        Locale.ROOT,
        "| %.1f | %d | %d | %d | %.1f | %.1f | %.0f | %d | %d | %d | %s | %s | %s |%n",
        second / 60.0,
        steps,
        errors,
        faults,
        mebibytes(heap),
        mebibytes(direct),
        mebibytes(resident),
        descriptors,
        threads,
        prepared,
        relayed,
        merged,
        straight);
  }

  private static double mebibytes(long bytes) {
    return bytes / (double) (1 << 20);
  }

  /** A figure that must not grow. */
  record Figure(String name, ToLongFunction<Sample> of, long slack) {

    static final List<Figure> ALL =
        List.of(
            new Figure("heap", Sample::heap, 8L << 20),
            new Figure("direct memory", Sample::direct, 16L << 20),
            new Figure("resident memory", Sample::resident, 64L << 20),
            new Figure("descriptors", Sample::descriptors, 12),
            new Figure("threads", Sample::threads, 8),
            new Figure("prepared statements", Sample::prepared, 300));

    /** Whether the later samples have more than the earlier ones, by their medians. */
    boolean grows(List<Sample> earlier, List<Sample> later) {
      return median(later) > median(earlier) + slack + median(earlier) / 10;
    }

    long median(List<Sample> samples) {
      return samples.stream().mapToLong(of).sorted().skip(samples.size() / 2).findFirst().orElse(0);
    }
  }

  /** Of latencies, in nanoseconds. */
  record Percentiles(long half, long most) {

    static Percentiles of(List<Long> latencies) {
      List<Long> sorted = latencies.stream().sorted().toList();
      if (sorted.isEmpty()) {
        return new Percentiles(0, 0);
      }
      return new Percentiles(sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 99 / 100));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.2f/%.1f", half / 1e6, most / 1e6);
    }
  }
}
