package io.anabranch.app.live;

import io.anabranch.backend.keys.KeyService;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.Backend;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One logical database of the configuration with what serves it. Another configuration has others,
 * which may have pools and watch in common with it.
 *
 * @param desk sessions' connections
 * @param describing the planner's connections, and those that keys are fetched with
 * @param watching knows how its servers are
 */
public record RunningDatabase(
    Backend backend, HikariLeaseDesk desk, HikariLeaseDesk describing, Watching watching)
    implements KeyService.Served {

  private static final long END_MILLISECONDS = 2_000;

  @Override
  public LogicalDatabase database() {
    return backend.database();
  }

  @Override
  public Topology topology() {
    return backend.topology();
  }

  /**
   * Ends them for good, and waits for their connections to be closed, as long as their event loops
   * still run: not for ever, for somebody may keep one.
   */
  public static void end(Collection<RunningDatabase> databases) {
    var drained = new ArrayList<CompletableFuture<Void>>();
    for (RunningDatabase each : databases) {
      each.watching().close();
      drained.add(each.desk().drain());
      drained.add(each.describing().drain());
    }
    CompletableFuture.allOf(drained.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, END_MILLISECONDS, TimeUnit.MILLISECONDS)
        .join();
  }

  /** The name in lower case. */
  String key() {
    return database().name().toLowerCase(Locale.ROOT);
  }
}
