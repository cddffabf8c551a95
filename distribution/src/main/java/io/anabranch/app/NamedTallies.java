package io.anabranch.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Statements by something that has a name, such as a user. The first names are counted apart, all
 * others together, so that no configuration makes more series than a Prometheus can bear.
 * Thread-safe.
 */
final class NamedTallies {

  static final int MOST = 100;
  static final String OTHERS = "others";

  private static final int STATEMENTS = 0;
  private static final int ERRORS = 1;
  private static final int NANOS = 2;
  private static final int PLACES = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final LoopTallies tallies;
  private final String what;
  private final int first;

  /** By name: the first of its places. */
  private final Map<String, Integer> known = new ConcurrentHashMap<>();

  /** Names that were counted apart so far. */
  private int begun;

  /**
   * @param tallies that have no tally yet
   * @param what has the names: in metrics' names, and the label's
   */
  NamedTallies(MeterRegistry registry, LoopTallies tallies, String what) {
    this.registry = registry;
    this.tallies = tallies;
    this.what = what;
    this.first = tallies.reserve((MOST + 1) * PLACES);
  }

  /** A statement has ended; on the tally's event loop. */
  void add(LoopTally tally, @Nullable String name, long nanos, int errno) {
    if (name == null) {
      return;
    }
    Integer begun = known.get(name);
    int place = begun == null ? begin(name) : begun;
    tally.add(place + STATEMENTS, 1);
    tally.add(place + NANOS, nanos);
    if (errno != 0) {
      tally.add(place + ERRORS, 1);
    }
  }

  /** What had the name is gone, and so is what was shown of it. */
  synchronized void forget(String name) {
    known.remove(name);
  }

  private synchronized int begin(String name) {
    Integer before = known.get(name);
    if (before != null) {
      return before;
    }
    boolean isOther = begun >= MOST;
    String shown = isOther ? OTHERS : name;
    int place = first + Math.min(begun, MOST) * PLACES;
    Integer same = known.putIfAbsent(shown, place);
    if (same != null) {
      return same;
    }
    show(shown, place);
    begun += isOther ? 0 : 1;
    return place;
  }

  private void show(String name, int place) {
    String prefix = "anabranch." + what;
    counter(prefix + ".statements", name, place + STATEMENTS, 1)
        .description("Statements that were run")
        .register(registry);
    counter(prefix + ".errors", name, place + ERRORS, 1)
        .description("Those that were answered with an error")
        .register(registry);
    counter(prefix + ".time", name, place + NANOS, NANOS_PER_SECOND)
        .baseUnit("seconds")
        .description("From the command to the end of the answer, all together")
        .register(registry);
  }

  private FunctionCounter.Builder<LoopTallies> counter(
      String metric, String name, int place, double unit) {
    return FunctionCounter.builder(metric, tallies, all -> all.sum(place) / unit).tag(what, name);
  }
}
