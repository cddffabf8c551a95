package io.anabranch.app.live;

import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.frontend.session.Backend;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.Locale;

/**
 * One logical database of the configuration with what serves it. Another configuration has others,
 * which may have pools and watch in common with it.
 *
 * @param desk sessions' connections
 * @param describing the planner's connections
 * @param watching knows how its servers are
 */
public record RunningDatabase(
    Backend backend, HikariLeaseDesk desk, HikariLeaseDesk describing, Watching watching) {

  public LogicalDatabase database() {
    return backend.database();
  }

  /** The name in lower case. */
  String key() {
    return database().name().toLowerCase(Locale.ROOT);
  }
}
