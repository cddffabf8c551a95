package io.anabranch.app.live;

import io.anabranch.backend.execute.catalog.LiveCatalog;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.topology.Topology;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.netty.channel.EventLoopGroup;
import java.util.List;

/**
 * Small pools for what the proxy itself asks of databases while sessions wait for the answer: in
 * the sessions' pools it could wait for a connection that only the answer would free.
 */
public final class OwnPools {

  private static final int DESCRIBING_CONNECTIONS = 2;

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

  /** What planners ask a database's servers by. */
  static HikariLeaseDesk describing(
      LogicalDatabase database, BackendTransport transport, ShardConnections shards) {
    return of(database, "catalogue", DESCRIBING_CONNECTIONS, transport, shards);
  }

  /**
   * The database as planners see it.
   *
   * @param describing see {@link #describing}
   * @param topology of its servers
   * @param changes of definitions, which all catalogues hear of
   */
  static LiveCatalog catalogue(
      LogicalDatabase database,
      LeaseDesk describing,
      Topology topology,
      EventLoopGroup loops,
      DefinitionChanges changes) {
    return new LiveCatalog(
        database.name(),
        topology::isReachable,
        endpoint ->
            describing.leaseBlocking(
                new LeaseDesk.Request(topology.describing(endpoint).name(), false, loops.next())),
        changes);
  }

  private static DataSourceDefinition small(DataSourceDefinition of, int connections) {
    return new DataSourceDefinition(
        of.name(),
        of.url(),
        of.username(),
        of.password(),
        of.connectionTimeoutMilliseconds(),
        of.idleTimeoutMilliseconds(),
        of.maxLifetimeMilliseconds(),
        connections,
        0,
        of.readOnly(),
        of.customPoolProps());
  }
}
