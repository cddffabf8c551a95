package io.anabranch.app;

import io.anabranch.backend.topology.MemberState;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.admin.HealthReport;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What {@code /health} and {@code /ready} say. Thread-safe; asking never blocks. */
final class Health {

  private final Supplier<Map<String, Topology>> topologies;
  private volatile HealthReport.State state = HealthReport.State.STARTING;
  private volatile boolean isKeptFree;
  private volatile long keptFreeSince;

  /**
   * @param topologies by the logical database's name; those in force
   */
  Health(Supplier<Map<String, Topology>> topologies) {
    this.topologies = topologies;
  }

  void up() {
    state = HealthReport.State.UP;
  }

  void draining() {
    state = HealthReport.State.DRAINING;
  }

  /** Whether load balancers shall send nobody, though all who come are served. */
  void keepFree(boolean wish) {
    if (wish && !isKeptFree) {
      keptFreeSince = System.nanoTime();
    }
    isKeptFree = wish;
  }

  /** How long clients are to be accepted yet, for load balancers that learn of the end only now. */
  Duration lameDuckLeft(long milliseconds) {
    Duration whole = Duration.ofMillis(milliseconds);
    Duration known =
        isKeptFree ? Duration.ofNanos(System.nanoTime() - keptFreeSince) : Duration.ZERO;
    return known.compareTo(whole) < 0 ? whole.minus(known) : Duration.ZERO;
  }

  HealthReport.State state() {
    HealthReport.State current = state;
    return current == HealthReport.State.UP && isKeptFree ? HealthReport.State.DRAINING : current;
  }

  HealthReport report() {
    var sources = new TreeMap<String, Boolean>();
    topologies
        .get()
        .forEach(
            (database, topology) ->
                topology
                    .conditions()
                    .forEach(
                        (source, condition) ->
                            sources.put(
                                database + "." + source,
                                condition.report() != null
                                    && condition.state() != MemberState.DOWN)));
    return new HealthReport(state(), sources);
  }

  /** MariaDB 10 puts 5.5.5 in front in its greeting, and drivers go by that. */
  static String asGreeted(String version) {
    return version.startsWith("10.") && version.contains("-MariaDB") ? "5.5.5-" + version : version;
  }
}
