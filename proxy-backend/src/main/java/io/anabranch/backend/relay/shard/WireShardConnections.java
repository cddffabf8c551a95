package io.anabranch.backend.relay.shard;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.shard.ShardConnection;

/** Makes {@link ShardConnection}s over channels, for {@code pool.ShardConnections#overWire}. */
public final class WireShardConnections {

  private final KeptStatements kept;

  /**
   * @param kept as in {@link Relay}: both share a connection's statements
   */
  public WireShardConnections(KeptStatements kept) {
    this.kept = kept;
  }

  public ShardConnection over(BackendConnection connection) {
    return new WireShardConnection(connection, kept);
  }
}
