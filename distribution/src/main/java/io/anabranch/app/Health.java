package io.anabranch.app;

import io.anabranch.frontend.admin.HealthReport;
import java.util.Map;
import java.util.function.Supplier;

/** What {@code /health} and {@code /ready} say. Thread-safe; asking never blocks. */
final class Health {

  private final Supplier<Map<String, Boolean>> reachable;
  private volatile HealthReport.State state = HealthReport.State.STARTING;

  /**
   * @param reachable by {@code database.dataSource}
   */
  Health(Supplier<Map<String, Boolean>> reachable) {
    this.reachable = reachable;
  }

  void up() {
    state = HealthReport.State.UP;
  }

  void draining() {
    state = HealthReport.State.DRAINING;
  }

  HealthReport report() {
    return new HealthReport(state, reachable.get());
  }
}
