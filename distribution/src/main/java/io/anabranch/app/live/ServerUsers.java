package io.anabranch.app.live;

import io.anabranch.backend.lease.PoolListener;
import java.util.Collection;

/** What else of the proxy works with the servers of logical databases. Thread-safe. */
public interface ServerUsers {

  /** Listens to the pools of a database, those that it has and those that it will have. */
  PoolListener pools(String database, Collection<String> dataSources);

  /** A database is served by these pools from now on, instead of others that it had. */
  void joined(RunningDatabase database);

  /**
   * Its pools, or some of them, are about to be closed.
   *
   * @param isGone whether there is no such database any more
   */
  void left(RunningDatabase database, boolean isGone);
}
