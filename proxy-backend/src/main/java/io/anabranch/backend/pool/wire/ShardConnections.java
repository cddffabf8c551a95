package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.shard.ShardConnection;

/**
 * Makes the merge lane's view of a pooled connection: lets the pool hand out what the packages
 * above it implement.
 */
@FunctionalInterface
public interface ShardConnections {

  /** Over the connection's channel; once per physical connection. */
  ShardConnection over(BackendConnection connection);
}
