package io.anabranch.app;

import io.anabranch.backend.deadlock.DeadlockWatch;
import io.anabranch.backend.execute.LiveCatalog;
import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.jdbc.LaneConnections;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.pool.BackendTransport;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.relay.KeptStatements;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.transaction.CommitBarrier;
import io.anabranch.backend.transaction.Coordinators;
import io.anabranch.backend.transaction.LocalCoordinator;
import io.anabranch.backend.xa.XaService;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.admin.AdminServer;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.auth.ServerKey;
import io.anabranch.frontend.server.ProxyServer;
import io.anabranch.frontend.server.ServerSettings;
import io.anabranch.frontend.server.Transport;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.frontend.tls.TlsException;
import io.anabranch.rules.algorithm.AlgorithmCatalogue;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.TransactionType;
import io.anabranch.rules.planner.Planner;
import io.anabranch.rules.planner.StatementPlanner;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object graph of a running proxy, built by hand: {@link #start} is the place to see what
 * depends on what. Closing ends everything in the reverse order.
 */
final class Assembly implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Assembly.class);
  private static final int DESCRIBING_CONNECTIONS = 2;

  /** How long clients are not let in while servers do not tell which databases they have. */
  private static final long CREATED_KNOWN_MILLISECONDS = 3000;

  private final Deque<Runnable> endings = new ArrayDeque<>();
  private InetSocketAddress address;
  private MemoryBudget memory = MemoryBudget.unconfigured();

  private Assembly(InetSocketAddress address) {
    this.address = address;
  }

  /** A loader that knows the built-in algorithms and those of {@code ext-lib/}. */
  static ConfigurationLoader loader() {
    return new ConfigurationLoader(
        new AlgorithmCatalogue(
            ServiceLoader.load(AlgorithmProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList()));
  }

  /**
   * Builds the graph and listens. Does not wait for databases: one that is down is an error for the
   * statements that need it.
   *
   * @param directory of the configuration: relative names of certificates start there
   * @throws StartException if an address cannot be bound, the machine lacks the transport, or a
   *     certificate cannot be used
   */
  static Assembly start(RuleSet rules, InetSocketAddress address, Path directory)
      throws StartException {
    var assembly = new Assembly(address);
    try {
      assembly.build(rules, directory);
      return assembly;
    } catch (StartException | RuntimeException e) {
      assembly.close();
      throw e;
    }
  }

  private static void startWatching(List<Watching> watchings, EventLoopGroup loops) {
    try {
      if (!watchings.isEmpty()) {
        watchings.getFirst().connectOnce(loops.next());
      }
    } finally {
      watchings.forEach(Watching::start);
    }
  }

  private void build(RuleSet rules, Path directory) throws StartException {
    ProxyProperties properties = rules.properties();
    ClientTls tls = tls(properties.clients().tls(), directory);
    Transport transport = transport(properties.transport());
    EventLoopGroup loops = transport.eventLoops(properties.frontendExecutorThreads(), "session");
    atEnd(() -> loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly());
    memory = new MemoryBudget(properties.memory());
    var metrics = new Metrics(version());
    metrics.memory(memory);
    atEnd(metrics::close);

    var backendTransport =
        new BackendTransport(
            loops,
            transport.channels(properties.clients().limits().keepAliveSeconds()),
            properties.backendSilenceSeconds());
    var kept = new KeptStatements(properties.statementsPerConnection());
    var relay = new Relay(kept);
    var shards = new LaneConnections(kept);
    var version =
        new ServerVersion(
            rules.databases().values().stream()
                .flatMap(database -> database.dataSources().values().stream())
                .toList());
    var watched = new LinkedHashMap<String, Topology>();
    var health = new Health(watched);
    var xaParts =
        new DistributedTransactions(
            rules.transactions(), backendTransport, shards, loops, this::atEnd);
    var catalogs = new ConcurrentHashMap<LogicalDatabase, SchemaCatalog>();
    Function<RuleSet, Planner> planners =
        of -> new StatementPlanner(of, database -> existing(catalogs, database));
    var created = new CreatedDatabases(backendTransport, shards, loops, catalogs, planners);
    var backends = new LinkedHashMap<String, Backend>();
    var watchings = new ArrayList<Watching>();
    var desks = new ArrayList<HikariLeaseDesk>();
    for (Map.Entry<String, LogicalDatabase> entry : rules.databases().entrySet()) {
      LogicalDatabase database = entry.getValue();
      PoolMetrics pools = metrics.pools(database.name(), database.dataSources().keySet());
      var desk =
          new HikariLeaseDesk(
              database.name(),
              database.dataSources().values(),
              Watching.tracked(database),
              backendTransport,
              shards,
              pools);
      atEnd(desk::close);
      pools.observe(desk::gauges);
      desks.add(desk);
      var watching =
          new Watching(
              database,
              desk,
              told -> version.told(Health.asGreeted(told)),
              version::failed,
              created::invalidatePlans);
      atEnd(watching::close);
      Topology topology = watching.topology();
      watched.put(database.name(), topology);
      HikariLeaseDesk describing =
          OwnPools.of(database, "catalogue", DESCRIBING_CONNECTIONS, backendTransport, shards);
      atEnd(describing::close);
      metrics.groups(database.name(), topology);
      var catalog =
          new LiveCatalog(
              database.name(),
              topology::isReachable,
              endpoint ->
                  describing.leaseBlocking(
                      new LeaseDesk.Request(
                          topology.describing(endpoint).name(), false, loops.next())));
      watchings.add(watching);
      catalogs.put(database, catalog);
      var backend = new Backend(database, desk, topology, catalog);
      backends.put(entry.getKey(), backend);
      created.follow(backend, watching, desk);
    }
    atEnd(created::close);
    watchDeadlocks(properties, desks, metrics);
    var _ =
        Thread.ofPlatform()
            .daemon()
            .name("first-connection")
            .start(() -> startWatching(watchings, loops));
    Thread keys = Thread.ofVirtual().name("key-report").start(new KeyReport(catalogs));
    atEnd(keys::interrupt);
    var realm = new AuthenticationRealm(rules, ServerKey.generate());
    var walker =
        new PlanWalker(
            properties.mergeMaxRows(),
            new StageLimits(properties.stageMaxRows(), properties.stageMaxBytes()),
            properties.atomicStatements(),
            metrics::copied);
    var pages = new ArrayList<AdminPage>();
    pages.add(new ReplicasPage(backends.values()));
    var deployment =
        new AtomicReference<>(
            new Deployment(
                    rules,
                    realm,
                    planners.apply(rules),
                    walker,
                    relay,
                    backends,
                    coordinators(rules.transactions(), backends.values(), xaParts, metrics, pages),
                    ServerVersion.UNKNOWN)
                .withRegistry(created));
    startFollowing(created, deployment);
    greetAs(properties.serverVersion(), version, deployment);
    if (properties.adminPort() > 0) {
      var loopback =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), properties.adminPort());
      bind(
          loopback,
          "choose another proxy-admin-port, or 0 for none",
          () -> {
            AdminServer admin = AdminServer.start(loopback, metrics::text, health::report, pages);
            atEnd(admin::close);
            return admin.address();
          });
    }
    var server =
        new ProxyServer(
            ServerSettings.of(properties, address, tls),
            transport,
            loops,
            deployment::get,
            metrics.sessions(),
            memory);
    atEnd(server::close);
    atEnd(() -> server.drain(Duration.ofMillis(properties.drainTimeoutMilliseconds())));

    this.address =
        bind(address, "choose another port with -p, or another address with -a", server::start);
    health.up();
    atEnd(health::draining);
  }

  private static void startFollowing(
      CreatedDatabases created, AtomicReference<Deployment> deployment) throws StartException {
    try {
      created.start(deployment, CREATED_KNOWN_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException(StartException.FAILED, "the start was interrupted", e);
    }
  }

  private void watchDeadlocks(
      ProxyProperties properties, List<HikariLeaseDesk> desks, Metrics metrics) {
    long interval = properties.deadlockCheckMilliseconds();
    if (interval > 0) {
      var watch = new DeadlockWatch(desks, interval, metrics.deadlocks());
      atEnd(watch::close);
      watch.start();
    }
  }

  private static Coordinators coordinators(
      TransactionSettings settings,
      Collection<Backend> backends,
      DistributedTransactions parts,
      Metrics metrics,
      List<AdminPage> pages) {
    var barrier = new CommitBarrier();
    var local = new LocalCoordinator(barrier, metrics::committedInPart);
    if (!settings.offersXa() || backends.isEmpty()) {
      return new Coordinators(local, null, TransactionType.LOCAL, barrier);
    }
    XaMetrics listener = metrics.distributedTransactions();
    XaService xa = parts.start(backends, barrier, listener);
    listener.observe(xa);
    pages.add(new XaPage(xa));
    return new Coordinators(local, xa.coordinator(), settings.defaultType(), barrier);
  }

  private static Transport transport(String name) throws StartException {
    try {
      return Transport.choose(name);
    } catch (IllegalArgumentException e) {
      throw new StartException(
          StartException.CONFIGURATION, "proxy-transport: " + e.getMessage(), e);
    }
  }

  private static @Nullable ClientTls tls(ClientProperties.Tls settings, Path directory)
      throws StartException {
    if (!settings.enabled()) {
      return null;
    }
    try {
      return ClientTls.open(settings, directory);
    } catch (TlsException e) {
      throw new StartException(StartException.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  private static InetSocketAddress bind(
      InetSocketAddress wanted, String wayOut, Supplier<InetSocketAddress> start)
      throws StartException {
    try {
      return start.get();
    } catch (Exception e) {
      // Netty throws the checked BindException without declaring it.
      throw new StartException(
          StartException.FAILED,
          "cannot listen on %s port %d: %s; %s"
              .formatted(wanted.getHostString(), wanted.getPort(), e.getMessage(), wayOut),
          e);
    }
  }

  /** Clients are greeted with the configured version, else with that of the databases. */
  private static void greetAs(
      String configured, ServerVersion ofDatabases, AtomicReference<Deployment> deployment) {
    Consumer<String> greet =
        version -> deployment.updateAndGet(current -> current.withServerVersion(version));
    if (configured.isEmpty()) {
      ofDatabases.await(greet);
    } else {
      greet.accept(configured);
    }
  }

  private static SchemaCatalog existing(
      Map<LogicalDatabase, SchemaCatalog> catalogs, LogicalDatabase database) {
    SchemaCatalog catalog = catalogs.get(database);
    if (catalog == null) {
      throw new IllegalStateException("no catalog of " + database.name());
    }
    return catalog;
  }

  private static String version() {
    String version = Assembly.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private void atEnd(Runnable ending) {
    endings.push(ending);
  }

  /** What clients make the proxy keep. */
  MemoryBudget memory() {
    return memory;
  }

  /** Where clients connect, the real port included. */
  InetSocketAddress address() {
    return address;
  }

  /** Drains and ends; blocks up to the drain timeout. Safe to call twice. */
  @Override
  public synchronized void close() {
    while (!endings.isEmpty()) {
      try {
        endings.pop().run();
      } catch (RuntimeException e) {
        log.warn("while ending", e);
      }
    }
    log.info("ended");
  }
}
