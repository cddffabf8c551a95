package io.anabranch.app;

import io.anabranch.backend.pool.BackendTransport;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.ShardConnections;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.transaction.CommitBarrier;
import io.anabranch.backend.xa.XaListener;
import io.anabranch.backend.xa.XaService;
import io.anabranch.backend.xa.XaSettings;
import io.anabranch.backend.xa.XaSource;
import io.anabranch.frontend.session.Backend;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Builds what distributed transactions need. Its connections are in pools of their own: a COMMIT
 * must not wait for a connection that only another COMMIT will free.
 */
final class DistributedTransactions {

  /** For the log's writers and heartbeat, and for a recovery beside them. */
  private static final int CONNECTIONS = XaService.LOG_CONNECTIONS + 2;

  private final TransactionSettings settings;
  private final BackendTransport transport;
  private final ShardConnections shards;
  private final EventLoopGroup loops;
  private final Consumer<Runnable> atEnd;

  DistributedTransactions(
      TransactionSettings settings,
      BackendTransport transport,
      ShardConnections shards,
      EventLoopGroup loops,
      Consumer<Runnable> atEnd) {
    this.settings = settings;
    this.transport = transport;
    this.shards = shards;
    this.loops = loops;
    this.atEnd = atEnd;
  }

  /** Starts the service over all data sources that take writes. */
  XaService start(Collection<Backend> backends, CommitBarrier barrier, XaListener listener) {
    var sources = new TreeMap<String, XaSource>();
    for (Backend backend : backends) {
      addSources(backend, sources);
    }
    String configured = settings.xa().logDataSource();
    XaSource log =
        sources.get(configured.isEmpty() ? sources.firstKey() : canonical(configured, backends));
    if (log == null) {
      throw new IllegalStateException("no data source " + configured);
    }
    var service = new XaService(named(), log, sources.values(), barrier, loops, listener);
    service.start();
    atEnd.accept(service::close);
    return service;
  }

  private void addSources(Backend backend, Map<String, XaSource> sources) {
    LogicalDatabase database = backend.database();
    HikariLeaseDesk desk = OwnPools.of(database, "XA", CONNECTIONS, transport, shards);
    atEnd.accept(desk::close);
    for (String endpoint : database.endpoints()) {
      String name = database.name() + '.' + endpoint;
      sources.put(
          name,
          new XaSource(
              name,
              database.name(),
              desk,
              () ->
                  backend
                      .topology()
                      .memberBlocking(endpoint, Access.WRITE, null, new MemberWait())
                      .name()));
    }
  }

  /** The configured name with the database's name as its file has it. */
  private static String canonical(String configured, Collection<Backend> backends) {
    int dot = configured.indexOf('.');
    for (Backend backend : backends) {
      if (backend.database().name().equalsIgnoreCase(configured.substring(0, dot))) {
        return backend.database().name() + configured.substring(dot);
      }
    }
    return configured;
  }

  private XaSettings named() {
    TransactionSettings.Xa xa = settings.xa();
    return new XaSettings(
        xa.cluster(),
        xa.node().isEmpty() ? machine() : xa.node(),
        xa.recoveryInterval(),
        xa.nodeTimeout(),
        xa.answerTimeout(),
        xa.logTimeout());
  }

  /** For people who read branch names; what tells processes apart is drawn by lot. */
  private static String machine() {
    String name;
    try {
      name = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "node";
    }
    var allowed = new ArrayList<String>();
    for (int i = 0; i < Math.min(name.length(), TransactionSettings.Xa.MAX_NAME); i++) {
      char c = name.charAt(i);
      boolean isPlain = c < 0x7F && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
      allowed.add(isPlain ? String.valueOf(c) : "_");
    }
    return allowed.isEmpty() ? "node" : String.join("", allowed);
  }
}
