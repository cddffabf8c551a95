package io.anabranch.app;

import static java.util.Objects.requireNonNull;

import io.anabranch.app.admin.ClusterPage;
import io.anabranch.app.admin.ConfigurationPage;
import io.anabranch.app.admin.DrainPage;
import io.anabranch.app.admin.ReplicasPage;
import io.anabranch.app.admin.StatusPage;
import io.anabranch.app.admin.XaPage;
import io.anabranch.app.check.StartChecks;
import io.anabranch.app.cluster.Cluster;
import io.anabranch.app.live.CertificateExpiry;
import io.anabranch.app.live.ConfigurationWatch;
import io.anabranch.app.live.CreatedDatabases;
import io.anabranch.app.live.DatabaseStarter;
import io.anabranch.app.live.LiveConfiguration;
import io.anabranch.app.live.OwnRevisions;
import io.anabranch.app.live.PasswordExpiry;
import io.anabranch.app.live.RunningDatabase;
import io.anabranch.app.live.Watching;
import io.anabranch.app.tracing.Tracing;
import io.anabranch.backend.deadlock.DeadlockWatch;
import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.keys.KeyService;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.OpenChannels;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinators;
import io.anabranch.backend.transaction.commit.LocalCoordinator;
import io.anabranch.backend.xa.XaService;
import io.anabranch.frontend.admin.AdminContent;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.admin.AdminServer;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.auth.ServerKey;
import io.anabranch.frontend.cluster.ClusterTable;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.local.PeerQuestions;
import io.anabranch.frontend.server.ProxyServer;
import io.anabranch.frontend.server.ServerSettings;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.statementlog.StatementLog;
import io.anabranch.frontend.statementlog.StatementLogs;
import io.anabranch.frontend.statistics.Digests;
import io.anabranch.frontend.statistics.StatisticsListener;
import io.anabranch.frontend.statistics.StatisticsTables;
import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.frontend.tls.TlsException;
import io.anabranch.frontend.tls.TlsInForce;
import io.anabranch.frontend.transport.SocketFile;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.ProxyProperties.LogForm;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.TransactionType;
import io.anabranch.rules.planner.StatementPlanner;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object graph of a running proxy, built by hand: {@link #start} is the place to see what
 * depends on what. Closing ends everything in the reverse order.
 */
final class Assembly implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Assembly.class);

  /** The number of the configuration at the start of a proxy by itself. */
  private static final long FIRST = 1;

  /** How long clients are not let in while servers do not tell which databases they have. */
  private static final long CREATED_KNOWN_MILLISECONDS = 3000;

  private final Deque<Runnable> endings = new ArrayDeque<>();
  private final @Nullable SocketFile socket;
  private InetSocketAddress address;
  private MemoryBudget memory = MemoryBudget.unconfigured();
  private ConfigurationControl configuration = ConfigurationControl.NONE;
  private volatile Runnable hurry = () -> {};

  private Assembly(InetSocketAddress address, @Nullable SocketFile socket) {
    this.socket = socket;
    this.address = address;
  }

  /**
   * Builds the graph and listens. Does not wait for databases: one that is down is an error for the
   * statements that need it.
   *
   * @param loader reads the configuration again when it shall change
   * @param socket file by which clients of this machine may connect besides; null: what the
   *     configuration says
   * @param directory of the configuration: relative names of certificates and of the socket start
   *     there
   * @param cluster that this proxy has joined; null: it is by itself. Ends with the assembly
   * @throws StartException if an address cannot be bound, the machine lacks the transport, or a
   *     certificate cannot be used
   */
  static Assembly start(
      ConfigurationLoader loader,
      Configuration configuration,
      InetSocketAddress address,
      @Nullable Path socket,
      Path directory,
      @Nullable Cluster cluster)
      throws StartException {
    ProxyProperties properties = configuration.ruleSet().properties();
    var assembly = new Assembly(address, socketFile(socket, properties.unixSocket(), directory));
    try {
      assembly.build(loader, configuration, directory, cluster);
      return assembly;
    } catch (StartException | RuntimeException e) {
      assembly.close();
      throw e;
    }
  }

  private static @Nullable SocketFile socketFile(
      @Nullable Path wanted, String configured, Path directory) {
    if (wanted == null) {
      return configured.isEmpty() ? null : new SocketFile(directory.resolve(configured));
    }
    return new SocketFile(wanted);
  }

  private static void startWatching(List<Watching> watchings, EventLoopGroup loops) {
    try {
      Watching first = watchings.stream().filter(Watching::hasSources).findFirst().orElse(null);
      if (first != null) {
        first.connectOnce(loops.next());
      }
    } finally {
      watchings.forEach(Watching::start);
    }
  }

  private void build(
      ConfigurationLoader loader,
      Configuration configuration,
      Path directory,
      @Nullable Cluster cluster)
      throws StartException {
    if (cluster != null) {
      atEnd(cluster::close);
    }
    RuleSet rules = configuration.ruleSet();
    ProxyProperties properties = rules.properties();
    TlsInForce tls = tls(properties.clients().tls(), directory);
    Transport transport = transport(properties.transport());
    EventLoopGroup loops = transport.eventLoops(properties.frontendExecutorThreads(), "session");
    atEnd(() -> loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly());
    var toDatabases =
        new OpenChannels(transport.channels(properties.clients().limits().keepAliveSeconds()));
    atEnd(toDatabases::close);
    memory = new MemoryBudget(properties.memory());
    var metrics = new Metrics(version());
    metrics.memory(memory);
    var digests = new Digests(properties.statistics().digests(), count(loops));
    metrics.digests(digests);
    var logs =
        new StatementLogs(
            log(properties, properties.statistics().slowFile(), properties.statistics().slowForm()),
            log(properties, properties.statistics().auditFile(), LogForm.JSON));
    atEnd(logs::close);
    metrics.logs(logs);
    logs.listeners().follow(configuration.listeners());
    var statistics = new StatisticsListener(metrics.sessions(), digests, logs);
    SessionListener listener = statistics;
    if (!properties.tracing().endpoint().isEmpty()) {
      var tracing = new Tracing(properties.tracing(), version());
      atEnd(tracing::close);
      metrics.tracing(tracing);
      listener = tracing.behind(statistics);
    }
    atEnd(metrics::close);

    if (tls != null) {
      var expiry = new CertificateExpiry(tls, Instant::now);
      metrics.certificate(expiry);
      loops.scheduleAtFixedRate(expiry::look, 0, 1, TimeUnit.DAYS);
    }

    var backendTransport =
        new BackendTransport(loops, toDatabases, properties.backendSilenceSeconds());
    var kept = new KeptStatements(properties.statementsPerConnection());
    var relay = new Relay(kept, metrics::pipes);
    ShardConnections shards = new WireShardConnections(kept)::over;
    var version =
        new ServerVersion(
            rules.databases().values().stream()
                .flatMap(database -> database.dataSources().values().stream())
                .toList());
    var deployment = new AtomicReference<Deployment>();
    var health = new Health(() -> topologies(deployment));
    var xaParts =
        new DistributedTransactions(
            rules.transactions(), backendTransport, shards, loops, this::atEnd);
    var definitions = new DefinitionChanges();
    Deployment.Planners planners =
        (of, backends) ->
            new StatementPlanner(of, database -> catalog(backends, database), definitions);
    var created = new CreatedDatabases(backendTransport, shards, loops, planners, definitions);
    DeadlockWatch deadlocks = deadlocks(properties, metrics);
    var users = new OtherServerUsers(metrics, deadlocks, xaParts);
    var starter =
        new DatabaseStarter(
            backendTransport,
            shards,
            loops,
            users,
            told -> version.told(Health.asGreeted(told)),
            version::failed,
            created::invalidatePlans,
            definitions);
    var running = new LinkedHashMap<String, RunningDatabase>();
    var backends = new LinkedHashMap<String, Backend>();
    for (Map.Entry<String, LogicalDatabase> entry : rules.databases().entrySet()) {
      RunningDatabase each = starter.make(entry.getValue(), null);
      running.put(entry.getKey(), each);
      backends.put(entry.getKey(), each.backend());
      created.follow(each.backend(), each.watching(), each.desk());
      users.joined(each);
    }
    var closing = new AtomicReference<Runnable>(() -> RunningDatabase.end(running.values()));
    atEnd(() -> requireNonNull(closing.get()).run());
    var keyService = new KeyService(loops);
    atEnd(keyService::close);
    keyService.follow(running.values());
    keyService.start();
    List<Watching> watchings = running.values().stream().map(RunningDatabase::watching).toList();
    if (deadlocks != null) {
      deadlocks.start();
    }
    var _ =
        Thread.ofPlatform()
            .daemon()
            .name("first-connection")
            .start(() -> startWatching(watchings, loops));
    Thread keys = Thread.ofVirtual().name("key-report").start(new KeyReport(catalogs(backends)));
    atEnd(keys::interrupt);
    var realm = new AuthenticationRealm(rules, ServerKey.generate());
    Function<RuleSet, PlanWalker> walkers = of -> walker(of.properties(), metrics);
    var pages = new ArrayList<AdminPage>();
    pages.add(new ReplicasPage(() -> deployed(deployment).backends().values()));
    deployment.set(
        new Deployment(
            rules,
            realm,
            planners.of(rules, backends),
            walkers.apply(rules),
            relay,
            backends,
            coordinators(rules.transactions(), backends.values(), xaParts, metrics, pages),
            ServerVersion.UNKNOWN));
    var server =
        new ProxyServer(
            ServerSettings.of(properties, address, socket, tls),
            transport,
            loops,
            () -> deployed(deployment),
            listener,
            memory);
    var live =
        new LiveConfiguration(
            loader,
            directory,
            configuration,
            cluster == null ? FIRST : cluster.number(),
            cluster == null ? new OwnRevisions(configuration.texts()) : cluster.revisions(),
            running,
            new LiveConfiguration.Parts(
                starter,
                users,
                created,
                planners,
                walkers,
                next -> StartChecks.samplePasswords(next, address.getAddress()),
                keyService,
                logs.listeners(),
                tls),
            deployment,
            () -> server.sessions().all(),
            properties.ending().timeoutMilliseconds());
    this.configuration = live;
    List<VirtualTable> tables =
        StatisticsTables.of(
            digests,
            logs.slow(),
            server.sessions().limits(),
            server.sessions().rules(),
            xaParts::inDoubt,
            () -> server.sessions().all(),
            () -> deployed(deployment));
    var schema = new VirtualSchema(cluster == null ? tables : ofAll(tables, cluster));
    statistics.schema(schema);
    var passwords =
        new PasswordExpiry(() -> deployed(deployment).rules().authority().users(), Instant::now);
    metrics.passwords(passwords);
    loops.scheduleAtFixedRate(passwords::look, 0, 1, TimeUnit.DAYS);
    server.sessions().limits().listener(metrics::limits);
    server.sessions().rules().listener(metrics::rules);
    metrics.answers(server.sessions().answers());
    closing.set(live::close);
    atEnd(created::close);
    deployment.updateAndGet(current -> deployed(current).with(created, live));
    var watch =
        new ConfigurationWatch(
            directory,
            live,
            () -> deployed(deployment).rules().properties().configurationWatchSeconds());
    watch.start();
    atEnd(watch::close);
    pages.add(new ConfigurationPage(live));
    pages.add(new ClusterPage(cluster, live));
    IntSupplier clients = () -> server.sessions().all().size();
    pages.add(new StatusPage(version(), this::address, health::report, clients, live));
    pages.add(
        new DrainPage(
            health::keepFree, server::sendAway, health::state, server::isSendingAway, clients));
    startFollowing(created, deployment, () -> server.sessions().all());
    greetAs(properties.serverVersion(), version, deployment);
    if (properties.admin().port() > 0) {
      serveOperators(
          properties.admin(),
          new AdminContent(
              metrics::text,
              health::report,
              pages,
              () -> deployed(deployment).rules().properties().admin().token()));
    }
    atEnd(server::close);
    hurry = server::hurry;
    atEnd(() -> server.drain(health.lameDuckLeft(properties.ending().lameDuckMilliseconds())));

    if (cluster != null) {
      server.sessions().among(cluster.sessionNumber(), 1);
      server.sessions().peers(cluster.peers());
    }
    this.address =
        bind(address, "choose another port with -p, or another address with -a", server::start);
    if (socket != null) {
      log.info("listens on {}", socket);
    }
    health.up();
    if (cluster != null) {
      metrics.cluster(cluster, live::number);
      var answers = new PeerQuestions(server.sessions(), schema);
      cluster.follow(live, this::address, server.sessions(), answers::answer);
      atEnd(cluster::leave);
    }
    atEnd(health::draining);
  }

  /** Tables of this proxy, and those of all proxies of the cluster. */
  private List<VirtualTable> ofAll(List<VirtualTable> tables, Cluster cluster) {
    Supplier<String> place =
        () -> address().getAddress().getHostAddress() + ":" + address().getPort();
    return Stream.concat(
            tables.stream(),
            tables.stream().map(each -> new ClusterTable(each, place, cluster.peers())))
        .toList();
  }

  /**
   * @param name empty: there is none
   */
  private static @Nullable StatementLog log(ProxyProperties properties, String name, LogForm form) {
    if (name.isEmpty()) {
      return null;
    }
    return new StatementLog(
        Path.of(System.getProperty("anabranch.logs", "logs")).resolve(name),
        properties.statistics().logBytes(),
        properties.statistics().logFiles(),
        form);
  }

  private static int count(EventLoopGroup loops) {
    int count = 0;
    for (EventExecutor _ : loops) {
      count++;
    }
    return count;
  }

  private void serveOperators(ProxyProperties.Admin admin, AdminContent content)
      throws StartException {
    InetSocketAddress place;
    try {
      place = new InetSocketAddress(InetAddress.getByName(admin.address()), admin.port());
    } catch (UnknownHostException e) {
      throw new StartException(
          StartException.CONFIGURATION,
          "proxy-admin-address: " + admin.address() + ": no such address",
          e);
    }
    bind(
        place,
        "choose another proxy-admin-port, or 0 for none",
        () -> {
          AdminServer port = AdminServer.start(place, content);
          atEnd(port::close);
          return port.address();
        });
  }

  private static void startFollowing(
      CreatedDatabases created,
      AtomicReference<Deployment> deployment,
      Supplier<Collection<Session>> sessions)
      throws StartException {
    try {
      created.start(deployment, sessions, CREATED_KNOWN_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException(StartException.FAILED, "the start was interrupted", e);
    }
  }

  private @Nullable DeadlockWatch deadlocks(ProxyProperties properties, Metrics metrics) {
    long interval = properties.deadlockCheckMilliseconds();
    if (interval <= 0) {
      return null;
    }
    var watch = new DeadlockWatch(interval, metrics.deadlocks());
    atEnd(watch::close);
    return watch;
  }

  private static PlanWalker walker(ProxyProperties properties, Metrics metrics) {
    return new PlanWalker(
        properties.mergeMaxRows(),
        new StageLimits(
            properties.stageMaxRows(), properties.stageMaxBytes(), properties.stageTotalBytes()),
        metrics.staged(),
        properties.atomicStatements(),
        metrics::copied);
  }

  private static Deployment deployed(AtomicReference<Deployment> deployment) {
    return deployed(deployment.get());
  }

  private static Deployment deployed(@Nullable Deployment current) {
    return requireNonNull(current, "not built yet");
  }

  private static Map<String, Topology> topologies(AtomicReference<Deployment> deployment) {
    var topologies = new LinkedHashMap<String, Topology>();
    for (Backend backend : deployed(deployment).backends().values()) {
      topologies.put(backend.database().name(), backend.topology());
    }
    return topologies;
  }

  private static Map<LogicalDatabase, SchemaCatalog> catalogs(Map<String, Backend> backends) {
    var catalogs = new LinkedHashMap<LogicalDatabase, SchemaCatalog>();
    backends.values().forEach(backend -> catalogs.put(backend.database(), backend.catalog()));
    return catalogs;
  }

  private static Coordinators coordinators(
      TransactionSettings settings,
      Collection<Backend> backends,
      DistributedTransactions parts,
      Metrics metrics,
      List<AdminPage> pages) {
    var barrier = new CommitBarrier();
    var local = new LocalCoordinator(barrier, metrics::committedInPart);
    boolean areEmpty = backends.stream().allMatch(each -> each.database().isEmpty());
    if (settings.offersXa() && areEmpty) {
      log.warn("there is no data source: distributed transactions are offered from the next start");
    }
    if (!settings.offersXa() || areEmpty) {
      pages.add(new XaPage(null));
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

  private static @Nullable TlsInForce tls(ClientProperties.Tls settings, Path directory)
      throws StartException {
    if (!settings.enabled()) {
      return null;
    }
    try {
      return TlsInForce.open(settings, directory);
    } catch (TlsException e) {
      throw new StartException(StartException.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  private static InetSocketAddress bind(
      InetSocketAddress wanted, String wayOut, Supplier<InetSocketAddress> start)
      throws StartException {
    try {
      return start.get();
    } catch (UncheckedIOException e) {
      throw new StartException(
          StartException.FAILED,
          "cannot listen on "
              + e.getMessage()
              + "; choose another proxy-unix-socket, or another -s",
          e);
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
        version -> deployment.updateAndGet(current -> deployed(current).withServerVersion(version));
    if (configured.isEmpty()) {
      ofDatabases.await(greet);
    } else {
      greet.accept(configured);
    }
  }

  private static SchemaCatalog catalog(Map<String, Backend> backends, LogicalDatabase database) {
    Backend found = backends.get(database.name().toLowerCase(Locale.ROOT));
    if (found == null || !found.database().equals(database)) {
      throw new IllegalStateException("no catalog of " + database.name());
    }
    return found.catalog();
  }

  /** Of this proxy; {@code development} where it is not in a jar. */
  static String version() {
    String version = Assembly.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private void atEnd(Runnable ending) {
    endings.push(ending);
  }

  /** Puts another configuration in force. */
  ConfigurationControl configuration() {
    return configuration;
  }

  /** What clients make the proxy keep. */
  MemoryBudget memory() {
    return memory;
  }

  /** Where clients connect, the real port included. */
  InetSocketAddress address() {
    return address;
  }

  /** An end that has begun, or will, does not wait for clients' statements and transactions. */
  void hurry() {
    hurry.run();
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
