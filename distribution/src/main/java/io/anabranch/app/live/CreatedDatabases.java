package io.anabranch.app.live;

import static java.util.Objects.requireNonNull;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.DatabaseRegistry;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.model.LogicalDatabase;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases that clients create by the rule !CREATE_DATABASE. The servers keep them: each is
 * asked which it has, at the start and again and again, because another proxy may create some, too.
 * One that is created here is known before its client hears of it. Pools are a database's own, what
 * is known of its servers' health is the creator's.
 */
public final class CreatedDatabases implements DatabaseRegistry, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CreatedDatabases.class);
  private static final String SCHEMAS =
      "SELECT schema_name AS name FROM information_schema.schemata ORDER BY 1";
  private static final long ANSWER_MILLISECONDS = 2000;
  private static final long PAUSE_MILLISECONDS = 5000;
  private static final long PAUSE_MILLISECONDS_UNTIL_KNOWN = 500;

  private final BackendTransport transport;
  private final ShardConnections shards;
  private final EventLoopGroup loops;
  private final Deployment.Planners planners;
  private final DefinitionChanges definitions;

  /** By the lower-case name of the database with the rule. */
  private final Map<String, Creator> creators = new LinkedHashMap<>();

  /** By lower-case name. */
  private final Map<String, Created> created = new HashMap<>();

  /** Not in force any more, and not closed yet. */
  private final Set<Created> leaving = new HashSet<>();

  /** Null until {@link #start}. */
  private volatile @Nullable AtomicReference<Deployment> deployment;

  /** Null until {@link #start}. */
  private volatile @Nullable DeskUsers users;

  /** What was asked before one of them was told is not believed after it. */
  private long changes;

  private boolean isClosed;

  /** A database with the rule, and whether its server has told which schemas it has. */
  private record Creator(
      Backend backend,
      Watching watching,
      HikariLeaseDesk desk,
      CountDownLatch known,
      Thread asks) {}

  private record Created(
      Creator by, LogicalDatabase database, HikariLeaseDesk desk, HikariLeaseDesk describing) {}

  /**
   * @param planners makes plans for other databases
   * @param definitions how often they have changed, which all catalogues hear of
   */
  public CreatedDatabases(
      BackendTransport transport,
      ShardConnections shards,
      EventLoopGroup loops,
      Deployment.Planners planners,
      DefinitionChanges definitions) {
    this.definitions = definitions;
    this.transport = transport;
    this.shards = shards;
    this.loops = loops;
    this.planners = planners;
  }

  /** Follows the databases of one creator's servers, if it has the rule. */
  public synchronized void follow(Backend backend, Watching watching, HikariLeaseDesk desk) {
    if (backend.database().creation().names().isEmpty()) {
      return;
    }
    String name = backend.database().name().toLowerCase(Locale.ROOT);
    Thread asks = Thread.ofPlatform().daemon().name("schemas-" + name).unstarted(() -> ask(name));
    creators.put(name, new Creator(backend, watching, desk, new CountDownLatch(1), asks));
  }

  /**
   * Begins to ask, and waits a moment for the first answers.
   *
   * @param running is given another deployment with each change
   * @param sessions all that there are
   */
  public void start(
      AtomicReference<Deployment> running,
      Supplier<Collection<Session>> sessions,
      long milliseconds)
      throws InterruptedException {
    users = new DeskUsers(sessions);
    deployment = running;
    awaitAnswers(milliseconds);
  }

  /** Begins to ask those servers that are not asked yet, and waits a moment for their answers. */
  private void awaitAnswers(long milliseconds) throws InterruptedException {
    List<Creator> all;
    synchronized (this) {
      all = new ArrayList<>(creators.values());
    }
    all.removeIf(creator -> creator.asks().getState() != Thread.State.NEW);
    all.forEach(creator -> creator.asks().start());
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    for (Creator creator : all) {
      if (!creator.known().await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        log.warn(
            "database {}: its server has not told yet which databases clients have created",
            creator.backend().database().name());
      }
    }
  }

  /** The database has the rule no more, or is served by others: those it has made are not known. */
  synchronized void leave(Backend gone) {
    String name = gone.database().name().toLowerCase(Locale.ROOT);
    Creator creator = creators.get(name);
    if (creator != null && creator.backend().equals(gone)) {
      creators.remove(name);
      creator.asks().interrupt();
      for (Created each : List.copyOf(created.values())) {
        if (each.by().equals(creator)) {
          remove(each);
        }
      }
    }
  }

  /** A file describes a database of that name now. */
  synchronized void yieldTo(String name) {
    Created former = created.get(name.toLowerCase(Locale.ROOT));
    if (former != null) {
      remove(former);
    }
  }

  /** Asks the servers of creators that have come since. */
  void askNew(long milliseconds) {
    try {
      awaitAnswers(milliseconds);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Plans are out of date. */
  public void invalidatePlans() {
    Deployment running = deployed();
    if (running != null) {
      running.planner().invalidate();
    }
  }

  /** Null before the start. */
  private @Nullable Deployment deployed() {
    AtomicReference<Deployment> running = deployment;
    return running == null ? null : running.get();
  }

  private Deployment deployment() {
    return requireNonNull(deployments().get());
  }

  private AtomicReference<Deployment> deployments() {
    return requireNonNull(deployment, "not started");
  }

  // ---------------------------------------------------------------- asked

  private void ask(String name) {
    Creator creator = creator(name);
    if (creator == null) {
      return;
    }
    Asker asker = null;
    String asked = "";
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          Member primary = primary(creator);
          if (primary != null) {
            if (asker == null || !asked.equals(primary.name())) {
              close(asker);
              asker = null;
              asked = primary.name();
              asker = creator.desk().asker(asked).open(ANSWER_MILLISECONDS);
            }
            long before = changes();
            told(creator, schemas(asker), before);
          }
        } catch (AskException down) {
          log.debug("data source {}: {}", asked, down.getMessage());
          close(asker);
          asker = null;
        } catch (RuntimeException failed) {
          // of a database that cannot be made: the next answer may be another
          log.error("the schemas of data source {} cannot be followed", asked, failed);
        }
        boolean isKnown = creator.known().getCount() == 0;
        Thread.sleep(isKnown ? PAUSE_MILLISECONDS : PAUSE_MILLISECONDS_UNTIL_KNOWN);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      close(asker);
    }
  }

  /** Null: there is none now. Replicas may not have yet what was created. */
  private static @Nullable Member primary(Creator creator) {
    String endpoint = creator.backend().database().endpoints().getFirst();
    return creator.backend().topology().primaryOfUnit(endpoint);
  }

  private static List<String> schemas(Asker asker) throws AskException {
    var names = new ArrayList<String>();
    for (Map<String, @Nullable String> row : asker.ask(SCHEMAS)) {
      String name = row.get("name");
      if (name != null) {
        names.add(name);
      }
    }
    return names;
  }

  private static void close(@Nullable Asker asker) {
    if (asker != null) {
      asker.close();
    }
  }

  /** Null: it is none any more. */
  private synchronized @Nullable Creator creator(String name) {
    return creators.get(name);
  }

  private synchronized long changes() {
    return changes;
  }

  private synchronized void told(Creator by, List<String> schemas, long before) {
    if (before != changes || isClosed || !creators.containsValue(by)) {
      return;
    }
    for (String schema : schemas) {
      make(by, schema);
    }
    for (Created each : List.copyOf(created.values())) {
      if (each.by().equals(by) && !schemas.contains(each.database().name())) {
        remove(each);
      }
    }
    by.known().countDown();
  }

  // ---------------------------------------------------------------- told by sessions

  @Override
  public synchronized boolean created(Backend creator, String name) {
    changes++;
    Creator by = creator(creator.database().name().toLowerCase(Locale.ROOT));
    return by != null && make(by, name);
  }

  @Override
  public synchronized void dropped(String name) {
    changes++;
    Created gone = created.get(name.toLowerCase(Locale.ROOT));
    if (gone != null) {
      remove(gone);
    }
  }

  @Override
  public @Nullable String unanswered(String name) {
    Backend creator = deployment().creator(name);
    if (creator == null) {
      return null;
    }
    String endpoint = creator.database().endpoints().getFirst();
    Creator by = creator(creator.database().name().toLowerCase(Locale.ROOT));
    return by != null && by.known().getCount() == 0 ? null : endpoint;
  }

  // ---------------------------------------------------------------- made

  private boolean make(Creator by, String schema) {
    Deployment current = deployment();
    Backend creator = current.creator(schema);
    if (isClosed
        || creator == null
        || !creator.database().equals(by.backend().database())
        || current.backend(schema) != null) {
      return false;
    }
    LogicalDatabase database = by.backend().database().withSchema(schema);
    var desk =
        new HikariLeaseDesk(
            schema,
            database.dataSources().values(),
            Watching.tracked(database),
            transport,
            shards,
            PoolListener.NONE);
    HikariLeaseDesk describing = OwnPools.describing(database, transport, shards);
    Topology topology = by.backend().topology();
    by.watching().follow(desk);
    created.put(schema.toLowerCase(Locale.ROOT), new Created(by, database, desk, describing));
    var backend =
        new Backend(
            database,
            desk,
            topology,
            OwnPools.catalogue(database, describing, topology, loops, definitions));
    deploy(backends -> backends.put(schema.toLowerCase(Locale.ROOT), backend));
    log.info("database {}: it is on the servers of {}", schema, by.backend().database().name());
    return true;
  }

  private void remove(Created gone) {
    String key = gone.database().name().toLowerCase(Locale.ROOT);
    created.remove(key);
    deploy(backends -> backends.remove(key));
    log.info("database {}: it was dropped", gone.database().name());
    leaving.add(gone);
    var _ = Thread.ofVirtual().name("dropped-" + key).start(() -> end(gone));
  }

  /**
   * Closes its pools once no session works with them: until then the server says what becomes of a
   * statement that met the drop, and what a transaction did elsewhere is not lost with it.
   */
  private void end(Created gone) {
    try {
      while (!requireNonNull(users).areGoneWithin(List.of(gone.desk()), PAUSE_MILLISECONDS)) {
        log.debug("database {}: sessions still have connections of it", gone.database().name());
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      if (leaving.remove(gone)) {
        close(gone);
      }
    }
  }

  private static void close(Created gone) {
    gone.by().watching().forget(gone.desk());
    gone.desk().close();
    gone.describing().close();
  }

  private void deploy(Consumer<Map<String, Backend>> change) {
    deployments()
        .updateAndGet(
            current -> {
              var backends = new LinkedHashMap<>(current.backends());
              change.accept(backends);
              return current.withBackends(backends, planners);
            });
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    creators.values().forEach(creator -> creator.asks().interrupt());
    created.values().forEach(CreatedDatabases::close);
    leaving.forEach(CreatedDatabases::close);
    leaving.clear();
  }
}
