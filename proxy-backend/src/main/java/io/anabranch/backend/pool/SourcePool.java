package io.anabranch.backend.pool;

import io.anabranch.backend.health.Asker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One data source's connections of both flavours behind one gate of {@code maxPoolSize} permits.
 * Whoever finds no permit waits in line; a connection that comes back goes to the first in line
 * before it is cached. So threads never meet inside HikariCP, and no cache starves another loop:
 *
 * <ul>
 *   <li>a request joins the line first, then looks which loops have something cached, and asks
 *       these to yield it;
 *   <li>a loop caches first, then looks at the line again. Length of the line and size of a cache
 *       are volatile: either the loop sees the request, or the request sees what is cached.
 * </ul>
 */
final class SourcePool {

  private static final Logger LOG = LoggerFactory.getLogger(SourcePool.class);

  /**
   * After so long a connection goes back to HikariCP, which may want to retire it. Each such visit
   * takes two virtual threads, which wake others: not often.
   */
  private static final long LONGEST_CHECKOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_INTERRUPTS = 4;

  private final String database;
  private final DataSourceDefinition definition;
  private final boolean tracksPositions;
  private final BackendUrl url;
  private final ShardConnections shards;
  private final PoolListener listener;
  private final Reach reach;
  private final Gate gate;
  private final Flavours flavours;
  private final StartHistory history = new StartHistory();
  private final StartWatch startWatch;
  private final SilenceWatch silenceWatch;

  /** One per event loop: they are few, and looked through for each lease. */
  private final LoopCache[] caches;

  private volatile boolean yielding;

  private final Runnable whenQueued;
  private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();

  /** Bounds the connections beyond {@code maxPoolSize} that end statements. */
  private final Semaphore interrupts = new Semaphore(MOST_INTERRUPTS);

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
    this.whenQueued = whenQueued;
    this.database = database;
    this.definition = definition;
    this.tracksPositions = tracksPositions;
    this.url = BackendUrl.of(definition);
    this.reach = new Reach("'" + database + "." + definition.name() + "' at " + url.place());
    this.shards = shards;
    this.listener = listener;
    this.gate = new Gate(definition.maxPoolSize());
    this.flavours =
        new Flavours(definition, url, tracksPositions, transport, shards, listener, reach, history);
    this.startWatch = new StartWatch(definition.name(), history, this::learnStartLater);
    this.silenceWatch = new SilenceWatch(reach, transport.silenceNanos(), this::silent);
    var perLoop = new ArrayList<LoopCache>();
    transport
        .loops()
        .forEach(loop -> perLoop.add(new LoopCache((EventLoop) loop, this::returnToPool)));
    this.caches = perLoop.toArray(LoopCache[]::new);
    if (!url.ignored().isEmpty()) {
      LOG.warn("data source {}: URL parameters without effect: {}", reach, url.ignored());
    }
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

  boolean isRelayed() {
    return url.isRelayed();
  }

  PoolGauges gauges() {
    int cached = 0;
    for (LoopCache cache : caches) {
      cached += cache.size();
    }
    return new PoolGauges(
        Math.max(0, gate.taken() - cached),
        cached + flavours.idle(),
        gate.waiting(),
        definition.maxPoolSize());
  }

  /** Whether somebody waits for a connection. */
  boolean isWanted() {
    return gate.waiting() > 0;
  }

  /** Some of those who have leases can do without them, from now on. */
  void mayYield() {
    yielding = true;
  }

  /** Whether connections are leased or waited for. */
  boolean isUsed() {
    return gate.taken() > 0;
  }

  /**
   * Who has the connections and who waits for one. Blocks until each event loop has had a moment
   * for it.
   */
  PoolState look() {
    var held = new ArrayList<HeldLease>();
    for (LoopCache cache : caches) {
      var found = new ArrayList<HeldLease>();
      cache.loop().submit(() -> flavours.look(cache.loop(), found)).syncUninterruptibly();
      held.addAll(found);
    }
    List<QueuedRequest> queued =
        gate.inLine().stream().map(waiter -> new QueuedRequest(this, waiter)).toList();
    return new PoolState(
        database + "." + name(), url.server(), definition.maxPoolSize(), held, queued, asker());
  }

  /** Answers a request that stands in line; false if it does not any more. On any thread. */
  boolean refuse(Waiter waiter, RefusedException reason) {
    boolean wasInLine = gate.leave(waiter);
    if (wasInLine) {
      refuseOutOfLine(waiter, reason);
    }
    return wasInLine;
  }

  /** Opens connections for the watch over the database's health, which looks for more behind it. */
  Asker.Opener healthAsker() {
    return silenceWatch.over(startWatch.over(asker()));
  }

  /** Blocks until each event loop has had a moment for it. */
  private List<WireConnection> silent(long nanos) {
    var found = new ArrayList<WireConnection>();
    for (LoopCache cache : caches) {
      EventLoop loop = cache.loop();
      loop.submit(() -> flavours.silent(loop, nanos, found)).syncUninterruptibly();
    }
    return found;
  }

  /** What a session began with. */
  StartValues startOf(Lessee session) {
    return history.of(session);
  }

  /**
   * Global variables may have changed. Blocks.
   *
   * @param since {@link System#nanoTime}: sessions that begin later have the new values
   */
  void learnStart(long since) {
    if (!url.isRelayed()) {
      return;
    }
    try {
      flavours.of(false).learnStart(since);
    } catch (SQLException | RuntimeException unknown) {
      LOG.warn("data source {}: what sessions begin with is not told: {}", reach, unknown);
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
    if (reason != null) {
      flavours.lookAfterFailure();
    }
  }

  /** Breaks all connections, leased ones too. */
  void cut() {
    flavours.cut();
  }

  /** Opens the first connections in the background, so that a database that is down is logged. */
  void warmUp() {
    var _ = Thread.ofVirtual().name("warm-up-" + name()).start(flavours::warmUp);
  }

  // ---- taking

  /** On the request's event loop. */
  void lease(LeaseDesk.Request request, LeaseDesk.Callback callback) {
    Lease cached = leaseNow(request);
    if (cached != null) {
      callback.leased(cached, null);
      return;
    }
    var waiter = new Waiter(request, callback, System.nanoTime());
    switch (gate.enter(waiter)) {
      case GRANTED -> open(waiter);
      case IN_LINE -> awaitTurn(waiter);
      case CLOSED -> refuseOutOfLine(waiter, closing());
    }
  }

  /** See {@link LeaseDesk#leaseNow}. */
  @Nullable Lease leaseNow(LeaseDesk.Request request) {
    LoopCache cache = cacheOf(request.loop());
    Checkout cached = cache == null ? null : cache.take(request.foundRows());
    if (cached == null) {
      return null;
    }
    listener.leased(name(), 0);
    return new LeaseHandle(this, cached, request);
  }

  private void awaitTurn(Waiter waiter) {
    long limit = definition.connectionTimeoutMilliseconds();
    EventLoop loop = waiter.request().loop();
    waiter.timeout(loop.schedule(() -> expire(waiter), limit, TimeUnit.MILLISECONDS));
    for (LoopCache cache : caches) {
      if (yielding || cache.size() > 0) {
        cache.loop().execute(() -> yieldTo(cache));
      }
    }
    if (waiter.isJoining()) {
      whenQueued.run();
    }
  }

  private RefusedException closing() {
    return ErrorCatalogue.DATA_SOURCE_DOWN.refuse(name(), "it is being closed");
  }

  @SuppressWarnings("ReferenceEquality") // loops are told apart by identity
  private @Nullable LoopCache cacheOf(EventLoop loop) {
    for (LoopCache cache : caches) {
      if (cache.loop() == loop) {
        return cache;
      }
    }
    return null;
  }

  private void expire(Waiter waiter) {
    if (gate.leave(waiter)) {
      refuseOutOfLine(waiter, tooLate());
    }
  }

  /** All connections are in use, or none can be opened. */
  private RuntimeException tooLate() {
    SQLException failure = reach.failure();
    return failure != null && !flavours.haveAlive()
        ? ErrorCatalogue.DATA_SOURCE_DOWN.refuse(name(), String.valueOf(failure.getMessage()))
        : ErrorCatalogue.LEASE_TIMEOUT.refuse(name(), definition.connectionTimeoutMilliseconds());
  }

  private void refuseOutOfLine(Waiter waiter, RuntimeException refusal) {
    listener.refused(name(), waiter.waitedNanos());
    waiter.settle(null, refusal);
  }

  /** Gives a cached connection to the line. On the cache's event loop. */
  private void yieldTo(LoopCache cache) {
    if (gate.waiting() > 0) {
      Checkout cached = cache.yieldOne();
      if (cached != null) {
        giveBack(cached, cache.loop());
      } else if (yielding) {
        takeBack(cache.loop());
      }
    }
  }

  /** Asks for a lease whose holder can do without it. On its event loop. */
  private void takeBack(EventLoop loop) {
    var held = new ArrayList<HeldLease>();
    flavours.look(loop, held);
    for (HeldLease one : held) {
      if (!one.busy() && one.lessee().yields(one.lease())) {
        return;
      }
    }
  }

  /** Takes a connection from HikariCP for a waiter that has a permit. */
  private void open(Waiter waiter) {
    var _ = Thread.ofVirtual().name("lease-" + name()).start(() -> openBlocking(waiter));
  }

  private void openBlocking(Waiter waiter) {
    boolean foundRows = waiter.request().foundRows();
    Checkout checkout;
    try {
      checkout = checkout(flavours.of(foundRows), foundRows);
    } catch (Flavour.DownException down) {
      permitFreed();
      refuseOutOfLine(
          waiter,
          ErrorCatalogue.DATA_SOURCE_DOWN.refuse(name(), String.valueOf(down.getMessage())));
      return;
    } catch (SQLException timeout) {
      permitFreed();
      refuseOutOfLine(waiter, tooLate());
      return;
    } catch (RuntimeException unexpected) {
      permitFreed();
      refuseOutOfLine(waiter, unexpected);
      return;
    }
    WireConnection wire = checkout.wire();
    if (wire != null) {
      wire.startLease();
    }
    handTo(waiter, checkout);
  }

  private Checkout checkout(Flavour flavour, boolean foundRows) throws SQLException {
    while (true) {
      Connection connection = flavour.open();
      boolean isGood = false;
      try {
        PhysicalConnection physical = flavour.physical(connection);
        if (physical != null) {
          isGood = true;
          return new Checkout(flavour, foundRows, connection, physical, shards);
        }
      } finally {
        if (!isGood) {
          flavour.evict(connection);
        }
      }
    }
  }

  private void handTo(Waiter waiter, Checkout checkout) {
    EventLoop loop = waiter.request().loop();
    WireConnection wire = checkout.wire();
    if (wire == null) {
      leased(waiter, checkout);
      return;
    }
    wire.moveTo(
        loop,
        failure -> {
          if (failure == null) {
            leased(waiter, checkout);
          } else {
            discard(checkout, "cannot move to another event loop: " + failure);
            refuseOutOfLine(
                waiter, ErrorCatalogue.DATA_SOURCE_DOWN.refuse(name(), failure.toString()));
          }
        });
  }

  private void leased(Waiter waiter, Checkout checkout) {
    listener.leased(name(), waiter.waitedNanos());
    waiter.settle(new LeaseHandle(this, checkout, waiter.request()), null);
  }

  // ---- giving back

  /** On {@code loop}, where the connection's channel is registered. */
  void giveBack(Checkout checkout, EventLoop loop) {
    if (checkout.isBroken()) {
      discard(checkout, "the server closed the connection");
      return;
    }
    if (gate.waiting() > 0) {
      Waiter next = gate.first(checkout.foundRows(), loop, System.nanoTime());
      if (next != null) {
        handTo(next, checkout);
      } else {
        returnToPool(checkout);
      }
      return;
    }
    LoopCache cache = cacheOf(loop);
    long now = System.nanoTime();
    if (cache == null || gate.isClosed() || checkout.ageNanos(now) > LONGEST_CHECKOUT_NANOS) {
      returnToPool(checkout);
    } else {
      cache.put(checkout, now);
      // Whoever has come into the line meanwhile may not have seen it in the cache.
      yieldTo(cache);
    }
  }

  private void returnToPool(Checkout checkout) {
    if (checkout.isBroken()) {
      discard(checkout, "the server closed the connection");
      return;
    }
    WireConnection wire = checkout.wire();
    if (wire != null) {
      wire.endLease();
    }
    var _ =
        Thread.ofVirtual()
            .name("return-" + name())
            .start(
                () -> {
                  try {
                    checkout.connection().close();
                  } catch (SQLException broken) {
                    LOG.warn("data source {}: {}", reach, broken.getMessage());
                    checkout.flavour().evict(checkout.connection());
                  } finally {
                    permitFreed();
                  }
                });
  }

  /** Ends what runs on the connection; its lease is held meanwhile. Blocks. */
  void interrupt(Checkout checkout) throws SQLException {
    WireConnection wire = checkout.wire();
    if (wire == null) {
      throw new SQLException("the connection's id is not known: its driver is not ours");
    }
    interrupts.acquireUninterruptibly();
    try {
      checkout.flavour().interrupt(wire.threadId());
    } finally {
      interrupts.release();
    }
  }

  void discard(Checkout checkout, String reason) {
    listener.discarded(name(), reason);
    WireConnection wire = checkout.wire();
    if (wire != null) {
      wire.endLease();
      wire.abort();
    }
    var _ =
        Thread.ofVirtual()
            .name("discard-" + name())
            .start(
                () -> {
                  try {
                    checkout.flavour().evict(checkout.connection());
                  } finally {
                    permitFreed();
                  }
                });
  }

  /** Passes a permit on to the first in line. */
  private void permitFreed() {
    Waiter next = gate.freed();
    if (next != null) {
      open(next);
    } else if (gate.isClosed() && gate.isDeserted()) {
      closeFlavours();
    }
  }

  // ---- closing

  /** Completes when every lease has ended and every connection is closed. */
  CompletableFuture<@Nullable Void> drain() {
    List<Waiter> left = gate.close();
    if (left == null) {
      return drained;
    }
    left.forEach(waiter -> refuseOutOfLine(waiter, closing()));
    if (gate.isDeserted()) {
      closeFlavours();
    } else {
      for (LoopCache cache : caches) {
        cache.loop().execute(cache::clear);
      }
    }
    return drained;
  }

  /** Whoever gives back the last permit, and whoever closes the gate, may both come here. */
  private void closeFlavours() {
    var _ =
        Thread.ofVirtual()
            .name("close-" + name())
            .start(
                () -> {
                  flavours.close();
                  drained.complete(null);
                });
  }
}
