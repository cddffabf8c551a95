package io.anabranch.backend.pool;

import io.anabranch.backend.breaker.CircuitBreaker;
import io.anabranch.backend.health.Asker;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.PoolGauges;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ConnectionRoom;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One data source's connections of both flavours, their leases, and what watches over them. */
final class SourcePool implements ConnectionRoom.Pool {

  private static final Logger LOG = LoggerFactory.getLogger(SourcePool.class);

  private final String database;
  private final DataSourceDefinition definition;
  private final boolean tracksPositions;
  private final BackendUrl url;
  private final Reach reach;
  private final Flavours flavours;
  private final SourceLeases leases;
  private final List<EventLoop> loops = new ArrayList<>();
  private final StartHistory history = new StartHistory();
  private final StartWatch startWatch;
  private final SilenceWatch silenceWatch;
  private final ConnectionRoom room;

  /**
   * @param whenQueued told when somebody who has leases stands in line for another
   */
  SourcePool(
      String database,
      DataSourceDefinition definition,
      boolean tracksPositions,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener,
      Runnable whenQueued) {
    this.database = database;
    this.definition = definition;
    this.tracksPositions = tracksPositions;
    this.url = BackendUrl.of(definition);
    this.reach = new Reach("'" + database + "." + definition.name() + "' at " + url.place());
    this.flavours =
        new Flavours(definition, url, tracksPositions, transport, shards, listener, reach, history);
    this.startWatch = new StartWatch(definition.name(), history, this::learnStartLater);
    this.silenceWatch = new SilenceWatch(reach, transport.silenceNanos(), this::silent);
    transport.loops().forEach(loop -> loops.add((EventLoop) loop));
    this.leases =
        new SourceLeases(
            database, definition, loops, flavours, SourcePool::onThread, listener, whenQueued);
    this.room = transport.room();
    room.join(this);
    if (!url.ignored().isEmpty()) {
      LOG.warn("data source {}: URL parameters without effect: {}", reach, url.ignored());
    }
  }

  private static void onThread(String name, Runnable task) {
    var _ = Thread.ofVirtual().name(name).start(task);
  }

  String name() {
    return definition.name();
  }

  /** Whether it is what such a data source needs. */
  boolean serves(DataSourceDefinition wanted, boolean tracked) {
    return definition.equals(wanted) && tracksPositions == tracked;
  }

  /** The logical database's name. */
  String database() {
    return database;
  }

  PoolGauges gauges() {
    int cached = leases.cached();
    return new PoolGauges(
        Math.max(0, leases.taken() - cached),
        cached + flavours.idle(),
        leases.waiting(),
        definition.maxPoolSize(),
        leases.limit(),
        leases.shed());
  }

  /** Null: it has no circuit breaker. */
  CircuitBreaker.@Nullable Status breaker() {
    CircuitBreaker breaker = leases.breaker();
    return breaker == null ? null : breaker.status();
  }

  /** Whether connections are leased or waited for. */
  boolean isUsed() {
    return leases.taken() > 0;
  }

  /**
   * Who has the connections and who waits for one. Blocks until each event loop has had a moment
   * for it.
   */
  PoolState look() {
    var held = new ArrayList<HeldLease>();
    for (EventLoop loop : loops) {
      var found = new ArrayList<HeldLease>();
      loop.submit(() -> flavours.look(loop, found)).syncUninterruptibly();
      held.addAll(found);
    }
    return new PoolState(
        database + "." + name(),
        url.server(),
        definition.maxPoolSize(),
        held,
        leases.queued(),
        asker());
  }

  /** Opens connections for the watch over the database's health, which looks for more behind it. */
  Asker.Opener healthAsker() {
    return silenceWatch.over(startWatch.over(asker()));
  }

  /** Blocks until each event loop has had a moment for it. */
  private List<WireConnection> silent(long nanos) {
    var found = new ArrayList<WireConnection>();
    for (EventLoop loop : loops) {
      loop.submit(() -> flavours.silent(loop, nanos, found)).syncUninterruptibly();
    }
    return found;
  }

  /**
   * Global variables may have changed. Blocks.
   *
   * @param since {@link System#nanoTime}: sessions that begin later have the new values
   */
  void learnStart(long since) {
    try {
      flavours.of(false).learnStart(since);
    } catch (SQLException unknown) {
      String why = unknown.getMessage();
      LOG.warn("data source {}: what sessions begin with is not told: {}", reach, why);
    } catch (RuntimeException unknown) {
      LOG.warn("data source {}: what sessions begin with is not told", reach, unknown);
    }
  }

  private void learnStartLater() {
    long now = System.nanoTime();
    var _ = Thread.ofVirtual().name("start-values-" + name()).start(() -> learnStart(now));
  }

  /** Opens connections for questions. */
  Asker.Opener asker() {
    return timeout -> ProbeConnection.open(definition, url, timeout);
  }

  /**
   * Whether the database is down, as the watch over its health found: requests are then refused at
   * once.
   *
   * @param reason null: it is up again
   */
  void down(@Nullable String reason) {
    reach.down(reason);
    CircuitBreaker breaker = leases.breaker();
    if (reason != null) {
      flavours.lookAfterFailure();
    } else if (breaker != null) {
      breaker.recovered();
    }
  }

  /** Breaks all connections, leased ones too. */
  void cut() {
    flavours.cut();
  }

  /**
   * Opens the first connections in the background, so that a database that is down is logged; none
   * where there are too many pools to keep any.
   */
  void warmUp() {
    if (room.isCrowded()) {
      return;
    }
    var _ = Thread.ofVirtual().name("warm-up-" + name()).start(flavours::warmUp);
  }

  // ---- among other pools

  @Override
  public long lastUsed() {
    return flavours.lastUsed();
  }

  @Override
  public boolean hasIdle() {
    return flavours.hasIdle();
  }

  @Override
  public void closeIdle() {
    flavours.closeIdle();
  }

  @Override
  public void keepNone() {
    flavours.keepNone();
  }

  // ---- leases

  /** On the request's event loop. */
  void lease(LeaseDesk.Request request, LeaseDesk.Callback callback) {
    leases.lease(request, callback);
  }

  /** See {@link LeaseDesk#leaseNow}. */
  @Nullable Lease leaseNow(LeaseDesk.Request request) {
    return leases.leaseNow(request);
  }

  /** What a session began with. */
  StartValues startOf(Lessee session) {
    return leases.startOf(session);
  }

  /** Completes when every lease has ended and every connection is closed. */
  CompletableFuture<@Nullable Void> drain() {
    room.leave(this);
    return leases.drain();
  }
}
