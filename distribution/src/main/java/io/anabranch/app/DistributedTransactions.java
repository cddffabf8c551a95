package io.anabranch.app;

import io.anabranch.app.live.OwnPools;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.xa.InDoubt;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds what distributed transactions need. Its connections are in pools of their own: a COMMIT
 * must not wait for a connection that only another COMMIT will free.
 */
final class DistributedTransactions {

  /** For the log, and for a recovery and looks at it beside that. */
  private static final int CONNECTIONS = XaService.LOG_CONNECTIONS + 2;

  private final TransactionSettings settings;
  private final BackendTransport transport;
  private final ShardConnections shards;
  private final EventLoopGroup loops;
  private final Consumer<Runnable> atEnd;

  /** By name; changes while recovery looks at them. */
  private final ConcurrentSkipListMap<String, XaSource> sources = new ConcurrentSkipListMap<>();

  /** By the sessions' pools of the same servers. */
  private final Map<LeaseDesk, HikariLeaseDesk> desks = new ConcurrentHashMap<>();

  /** Where decisions are written; null before the start. */
  private volatile @Nullable XaSource log;

  /** Null before the start. */
  private volatile @Nullable XaService running;

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
    backends.forEach(this::follow);
    String configured = settings.xa().logDataSource();
    log = sources.get(configured.isEmpty() ? sources.firstKey() : canonical(configured, backends));
    XaSource decisions = log;
    if (decisions == null) {
      throw new IllegalStateException("no data source " + configured);
    }
    atEnd.accept(this::closeDesks);
    var service = new XaService(named(), decisions, sources.values(), barrier, loops, listener);
    service.start();
    running = service;
    atEnd.accept(service::close);
    return service;
  }

  private void closeDesks() {
    desks.values().forEach(HikariLeaseDesk::close);
  }

  /** Prepared branches that the last look found. */
  Collection<InDoubt> inDoubt() {
    XaService service = running;
    return service == null ? List.of() : service.inDoubt();
  }

  /** Whether there are any: if sessions may have some. */
  boolean isStarted() {
    return log != null;
  }

  /** Its servers may have branches from now on. */
  void follow(Backend backend) {
    LogicalDatabase database = backend.database();
    HikariLeaseDesk desk = OwnPools.of(database, "XA", CONNECTIONS, transport, shards);
    desks.put(backend.desk(), desk);
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

  /** They have none any more. The log stays where it is until the proxy's next start. */
  void forget(Backend backend) {
    HikariLeaseDesk desk = desks.get(backend.desk());
    XaSource decisions = log;
    if (desk != null && (decisions == null || !decisions.desk().equals(desk))) {
      desks.remove(backend.desk());
      sources.values().removeIf(source -> source.desk().equals(desk));
      desk.close();
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
        xa.logTimeout(),
        xa.decisionRetention());
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
