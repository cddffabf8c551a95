package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.shard.ShardConnection;
import java.sql.Connection;

/**
 * Makes the merge lane's view of a pooled connection: lets the pool hand out what the packages
 * above it implement.
 */
public interface ShardConnections {

  /** Over the channel of a connection that can be relayed; once per physical connection. */
  ShardConnection overWire(BackendConnection connection);

  /**
   * For data sources that cannot be relayed; once per lease. The connection stays the pool's: it is
   * not closed by the one who uses it.
   */
  ShardConnection overJdbc(Connection connection);
}
