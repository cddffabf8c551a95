package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.shard.ShardConnection;

/** Makes {@link ShardConnection}s over channels, for {@code pool.ShardConnections#overWire}. */
public final class WireShardConnections {

  public ShardConnection over(BackendConnection connection) {
    if (connection.threadId() >= 0) {
      throw new IllegalStateException("not built yet");
    }
    throw new IllegalArgumentException();
  }
}
