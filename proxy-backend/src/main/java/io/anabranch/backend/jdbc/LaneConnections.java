package io.anabranch.backend.jdbc;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.pool.ShardConnections;
import io.anabranch.backend.relay.WireShardConnections;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import java.sql.Connection;

/** Tells the pool how the merge lane talks to a database: over the wire, or over plain JDBC. */
public final class LaneConnections implements ShardConnections {

  private static final int STATEMENTS_PER_CONNECTION = 256;

  private final WireShardConnections wire = new WireShardConnections(STATEMENTS_PER_CONNECTION);

  @Override
  public ShardConnection overWire(BackendConnection connection) {
    return wire.over(connection);
  }

  @Override
  public ShardConnection overJdbc(Connection connection) {
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a data source that cannot be relayed",
        "use the MariaDB driver without backend TLS or compression");
  }
}
