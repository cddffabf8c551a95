package io.anabranch.backend.jdbc;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import java.sql.Connection;
import java.sql.SQLException;

/** Tells the pool how the merge lane talks to a database: over the wire, or over the driver. */
public final class LaneConnections implements ShardConnections {

  private final WireShardConnections wire;

  /**
   * @param kept prepared statements of connections, as in the relay
   */
  public LaneConnections(KeptStatements kept) {
    this.wire = new WireShardConnections(kept);
  }

  @Override
  public ShardConnection overWire(BackendConnection connection) {
    return wire.over(connection);
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException for drivers that have no MariaDB connection
   *     inside
   */
  @Override
  public ShardConnection overJdbc(Connection connection) {
    try {
      return DriverConnection.over(
          connection.unwrap(org.mariadb.jdbc.Connection.class).getClient());
    } catch (SQLException another) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a data source with a driver of its own",
          "leave driverClassName out: the MariaDB driver serves jdbc:mysql and jdbc:mariadb, TLS"
              + " included");
    }
  }
}
