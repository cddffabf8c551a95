package io.anabranch.app;

import io.anabranch.app.live.RunningDatabase;
import io.anabranch.app.live.ServerUsers;
import io.anabranch.backend.deadlock.DeadlockWatch;
import io.anabranch.backend.lease.PoolListener;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Metrics, the watch over deadlocks, distributed transactions. Thread-safe. */
final class OtherServerUsers implements ServerUsers {

  private final Metrics metrics;
  private final @Nullable DeadlockWatch deadlocks;
  private final DistributedTransactions distributed;

  /**
   * @param deadlocks null: nobody looks for them
   */
  OtherServerUsers(
      Metrics metrics, @Nullable DeadlockWatch deadlocks, DistributedTransactions distributed) {
    this.metrics = metrics;
    this.deadlocks = deadlocks;
    this.distributed = distributed;
  }

  @Override
  public PoolListener pools(String database, Collection<String> dataSources) {
    return metrics.pools(database, dataSources);
  }

  @Override
  public void joined(RunningDatabase database) {
    String name = database.database().name();
    Set<String> sources = database.database().dataSources().keySet();
    metrics
        .pools(name, sources)
        .observe(sources, database.desk()::gauges, database.desk()::breaker);
    metrics.groups(name, database.watching().topology());
    if (deadlocks != null) {
      deadlocks.add(database.desk());
    }
    if (distributed.isStarted()) {
      distributed.follow(database.backend());
    }
  }

  @Override
  public void left(RunningDatabase database, boolean isGone) {
    if (deadlocks != null) {
      deadlocks.remove(database.desk());
    }
    distributed.forget(database.backend());
    if (isGone) {
      metrics.forget(database.database().name());
    }
  }
}
