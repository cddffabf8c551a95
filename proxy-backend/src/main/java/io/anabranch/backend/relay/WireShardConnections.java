package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.shard.ShardConnection;

/** Makes {@link ShardConnection}s over channels, for {@code pool.ShardConnections#overWire}. */
public final class WireShardConnections {

  private final int statementsPerConnection;

  /**
   * @param statementsPerConnection as in {@link Relay}: both share a connection's statements
   */
  public WireShardConnections(int statementsPerConnection) {
    this.statementsPerConnection = Math.max(1, statementsPerConnection);
  }

  public ShardConnection over(BackendConnection connection) {
    return new WireShardConnection(connection, statementsPerConnection);
  }
}
