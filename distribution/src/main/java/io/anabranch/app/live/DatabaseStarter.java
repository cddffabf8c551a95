package io.anabranch.app.live;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.Backend;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes what serves logical databases. Thread-safe. */
public final class DatabaseStarter {

  private static final long KNOWN_MILLISECONDS = 3000;
  private static final long PAUSE_MILLISECONDS = 5;

  private final BackendTransport transport;
  private final ShardConnections shards;
  private final EventLoopGroup loops;
  private final ServerUsers users;
  private final Consumer<String> versions;
  private final Consumer<DataSourceDefinition> failures;
  private final Runnable reachChanged;
  private final DefinitionChanges changes;

  /**
   * @param versions gets the server version of each data source as it answers
   * @param failures gets each data source that is found to be down
   * @param reachChanged runs when a data source has gone or come back
   * @param changes of definitions, which all catalogues hear of
   */
  public DatabaseStarter(
      BackendTransport transport,
      ShardConnections shards,
      EventLoopGroup loops,
      ServerUsers users,
      Consumer<String> versions,
      Consumer<DataSourceDefinition> failures,
      Runnable reachChanged,
      DefinitionChanges changes) {
    this.changes = changes;
    this.transport = transport;
    this.shards = shards;
    this.loops = loops;
    this.users = users;
    this.versions = versions;
    this.failures = failures;
    this.reachChanged = reachChanged;
  }

  /**
   * A database with pools of its own. Opens no connection, and watches nothing yet.
   *
   * @param former whose pools of data sources that have not changed are taken over; null: none
   * @throws IllegalArgumentException for a URL that cannot be used
   */
  public RunningDatabase make(LogicalDatabase database, @Nullable RunningDatabase former) {
    var desk =
        new HikariLeaseDesk(
            database.name(),
            database.dataSources().values(),
            Watching.tracked(database),
            transport,
            shards,
            users.pools(database.name(), database.dataSources().keySet()),
            former == null ? null : former.desk());
    HikariLeaseDesk describing = OwnPools.describing(database, transport, shards);
    var watching = new Watching(database, desk, versions, failures, reachChanged);
    return new RunningDatabase(
        backend(database, desk, describing, watching), desk, describing, watching);
  }

  /** The same servers with other rules. */
  RunningDatabase withRules(LogicalDatabase database, RunningDatabase former) {
    return new RunningDatabase(
        backend(database, former.desk(), former.describing(), former.watching()),
        former.desk(),
        former.describing(),
        former.watching());
  }

  private Backend backend(
      LogicalDatabase database, LeaseDesk desk, LeaseDesk describing, Watching watching) {
    Topology topology = watching.topology();
    return new Backend(
        database,
        desk,
        topology,
        OwnPools.catalogue(database, describing, topology, loops, changes));
  }

  /**
   * Watches over a database that will take another's place, and waits a moment until it is known
   * how its servers are: statements do not meet a group that knows nobody.
   */
  static void startWatching(RunningDatabase database) {
    // another watch may have found one down that is up since
    database.database().dataSources().keySet().forEach(name -> database.desk().down(name, null));
    database.watching().start();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KNOWN_MILLISECONDS);
    Topology topology = database.watching().topology();
    try {
      while (System.nanoTime() - end < 0
          && topology.conditions().values().stream()
              .anyMatch(each -> each.isReachable() && each.report() == null)) {
        Thread.sleep(PAUSE_MILLISECONDS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
