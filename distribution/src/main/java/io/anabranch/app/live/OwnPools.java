package io.anabranch.app.live;

import io.anabranch.backend.pool.BackendTransport;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.PoolListener;
import io.anabranch.backend.pool.ShardConnections;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.List;

/**
 * Small pools for what the proxy itself asks of databases while sessions wait for the answer: in
 * the sessions' pools it could wait for a connection that only the answer would free.
 */
public final class OwnPools {

  private OwnPools() {}

  /**
   * @param purpose for the log
   * @param connections to each data source at most; none is kept open for long
   */
  public static HikariLeaseDesk of(
      LogicalDatabase database,
      String purpose,
      int connections,
      BackendTransport transport,
      ShardConnections shards) {
    List<DataSourceDefinition> definitions =
        database.dataSources().values().stream().map(of -> small(of, connections)).toList();
    return new HikariLeaseDesk(
        database.name() + " (" + purpose + ")", definitions, transport, shards, PoolListener.NONE);
  }

  private static DataSourceDefinition small(DataSourceDefinition of, int connections) {
    return new DataSourceDefinition(
        of.name(),
        of.url(),
        of.username(),
        of.password(),
        of.driverClassName(),
        of.connectionTimeoutMilliseconds(),
        of.idleTimeoutMilliseconds(),
        of.maxLifetimeMilliseconds(),
        connections,
        0,
        of.readOnly(),
        of.customPoolProps());
  }
}
