package io.anabranch.app;

import io.anabranch.backend.pool.PoolGauges;
import io.anabranch.frontend.admin.HealthReport;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** What {@code /health} and {@code /ready} say. Thread-safe; asking never blocks. */
final class Health {

  private final Map<String, BooleanSupplier> reachable = new ConcurrentHashMap<>();
  private volatile HealthReport.State state = HealthReport.State.STARTING;

  /**
   * A data source counts as reachable while its pool has connections; one whose pool may be empty
   * ({@code minPoolSize: 0}) cannot be judged and counts as reachable.
   */
  void watch(LogicalDatabase database, Function<String, PoolGauges> gauges) {
    for (DataSourceDefinition source : database.dataSources().values()) {
      reachable.put(
          database.name() + "." + source.name(),
          () -> {
            PoolGauges pool = gauges.apply(source.name());
            return source.minPoolSize() == 0 || pool.active() + pool.idle() > 0;
          });
    }
  }

  void up() {
    state = HealthReport.State.UP;
  }

  void draining() {
    state = HealthReport.State.DRAINING;
  }

  HealthReport report() {
    var sources = new HashMap<String, Boolean>();
    reachable.forEach((name, isReachable) -> sources.put(name, isReachable.getAsBoolean()));
    return new HealthReport(state, sources);
  }
}
