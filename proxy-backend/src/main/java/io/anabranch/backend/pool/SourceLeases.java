package io.anabranch.backend.pool;

import io.anabranch.backend.breaker.AdaptiveLimit;
import io.anabranch.backend.breaker.AnswerListener;
import io.anabranch.backend.breaker.CircuitBreaker;
import io.anabranch.backend.breaker.Shedding;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.protection.OverloadSettings;
import io.anabranch.rules.model.protection.Priority;
import io.netty.channel.EventLoop;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives one data source's connections out and takes them back, behind one gate of {@code
 * maxPoolSize} permits. Whoever finds no permit waits in line; a connection that comes back goes to
 * the first in line before it is cached. So threads never meet inside HikariCP, and no cache
 * starves another loop:
 *
 * <ul>
 *   <li>a request joins the line first, then looks which loops have something cached, and asks
 *       these to yield it;
 *   <li>a loop caches first, then looks at the line again. Length of the line and size of a cache
 *       are volatile: either the loop sees the request, or the request sees what is cached.
 * </ul>
 *
 * Time is that of the event loops; what blocks is left to {@link Threads}.
 */
final class SourceLeases {

  /**
   * After so long a connection goes back to HikariCP, which may want to retire it. Each such visit
   * takes two virtual threads, which wake others: not often.
   */
  static final long LONGEST_CHECKOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** ER_BAD_DB_ERROR. */
  private static final int UNKNOWN_DATABASE = 1049;

  /** How often those who have leases hear of a line. */
  private static final long TELLING_MILLISECONDS = 1000;

  /** Where connections come from and go back to. What may block is called on {@link Threads}. */
  interface Connections {

    /**
     * Takes or opens one. Blocks.
     *
     * @throws Flavour.DownException if the database cannot be reached
     * @throws SQLException if none was to be had in time
     */
    Checkout open(boolean foundRows) throws SQLException;

    /** Blocks. */
    void giveBack(Checkout checkout);

    /** Closes a connection that is of no use any more. Blocks. */
    void evict(Checkout checkout);

    /** Ends what runs on the connection; its lease is held meanwhile. Blocks. */
    void interrupt(Checkout checkout) throws SQLException;

    /** What a session began with. */
    StartValues startOf(Lessee session);

    /** Why there is no connection at all; null if there are some, or none was tried. */
    @Nullable SQLException whyDown();

    /** The leases of connections on {@code loop}; called there. */
    void look(EventLoop loop, List<HeldLease> into);

    /** Closes all for good. Blocks. */
    void close();
  }

  /** Runs what may block. */
  interface Threads {
    void start(String name, Runnable task);
  }

  private final String database;
  private final DataSourceDefinition definition;
  private final Connections connections;
  private final Threads threads;
  private final PoolListener listener;
  private final Runnable whenQueued;
  private final Gate gate;
  private final @Nullable CircuitBreaker breaker;
  private final @Nullable AdaptiveLimit adaptive;
  private final @Nullable AnswerListener answers;

  /** Somebody looks after a while whether more may be leased. */
  private final AtomicBoolean looks = new AtomicBoolean();

  /** When those who have leases were told that others wait, by the event loops' clock. */
  private final AtomicLong told = new AtomicLong();

  private final Shedding shedding;

  /** One per event loop: they are few, and looked through for each lease. */
  private final LoopCache[] caches;

  private volatile boolean yielding;
  private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();

  /**
   * @param database the logical database's name
   * @param loops where sessions are
   * @param whenQueued told when somebody who has leases stands in line for another
   */
  SourceLeases(
      String database,
      DataSourceDefinition definition,
      Collection<EventLoop> loops,
      Connections connections,
      Threads threads,
      PoolListener listener,
      Runnable whenQueued) {
    this.database = database;
    this.definition = definition;
    this.connections = connections;
    this.threads = threads;
    this.listener = listener;
    this.whenQueued = whenQueued;
    this.gate = new Gate(definition.maxPoolSize());
    this.breaker =
        definition.breaker() == null
            ? null
            : new CircuitBreaker(
                definition.name(), definition.breaker(), System::nanoTime, this::breakerOpened);
    OverloadSettings overload = definition.overload();
    this.shedding =
        new Shedding(
            definition.name(), overload.queue(), definition.connectionTimeoutMilliseconds());
    this.adaptive =
        overload.adapts()
            ? new AdaptiveLimit(overload, definition.maxPoolSize(), System::nanoTime, this::limited)
            : null;
    this.answers = listener();
    this.caches =
        loops.stream()
            .map(loop -> new LoopCache(loop, this::returnToPool))
            .toArray(LoopCache[]::new);
  }

  private @Nullable AnswerListener listener() {
    CircuitBreaker breaking = breaker;
    AdaptiveLimit limiting = adaptive;
    if (breaking == null || limiting == null) {
      return breaking == null ? limiting : breaking;
    }
    return AnswerListener.both(breaking, limiting);
  }

  String name() {
    return definition.name();
  }

  String database() {
    return database;
  }

  /** Permits that are taken: leases, connections in caches, and those that are opened or closed. */
  int taken() {
    return gate.taken();
  }

  /** Connections in caches. */
  int cached() {
    int cached = 0;
    for (LoopCache cache : caches) {
      cached += cache.size();
    }
    return cached;
  }

  /** Requests in line. */
  int waiting() {
    return gate.waiting();
  }

  /** Connections that may be taken now. */
  int limit() {
    return gate.limit();
  }

  /** Requests that were sent away so that others get a connection. */
  long shed() {
    return shedding.shed();
  }

  /** Whether somebody waits for a connection. */
  boolean isWanted() {
    return gate.waiting() > 0;
  }

  /** Those in line: who has leases first, and longest first of one event loop. */
  List<QueuedRequest> queued() {
    return inLine().stream().map(waiter -> new QueuedRequest(this, waiter)).toList();
  }

  /** The same as they stand there. */
  List<Waiter> inLine() {
    return gate.inLine();
  }

  /** Who is told of answers; null: nobody. */
  @Nullable AnswerListener answers() {
    return answers;
  }

  /** Null: there is none. */
  @Nullable CircuitBreaker breaker() {
    return breaker;
  }

  /** Nobody waits for a data source that is given a rest. On any thread. */
  private void breakerOpened() {
    CircuitBreaker opened = breaker;
    for (Waiter waiter : inLine()) {
      RefusedException refusal = opened == null ? null : opened.refusalInLine();
      if (refusal != null) {
        refuse(waiter, refusal);
      }
    }
  }

  private void couldNotOpen() {
    CircuitBreaker told = breaker;
    if (told != null) {
      told.unreachable();
    }
  }

  /** Another number of connections may be taken from now on. On any thread. */
  private void limited() {
    AdaptiveLimit limiting = Objects.requireNonNull(adaptive);
    gate.limit(limiting::limit).forEach(this::open);
    inLine().stream().findFirst().ifPresent(first -> lookLater(first.request().loop()));
    if (gate.isOver()) {
      for (LoopCache cache : caches) {
        cache.loop().execute(() -> giveUp(cache));
      }
    }
  }

  /** Who waits while connections are held back is not to wait for answers that never come. */
  private void lookLater(EventLoop loop) {
    AdaptiveLimit limiting = adaptive;
    boolean isDue = limiting != null && gate.limit() < definition.maxPoolSize();
    if (limiting != null && isDue && looks.compareAndSet(false, true)) {
      var _ =
          loop.schedule(
              () -> {
                looks.set(false);
                if (gate.waiting() > 0) {
                  limiting.waitedFor();
                  lookLater(loop);
                }
              },
              1,
              TimeUnit.SECONDS);
    }
  }

  /** What rests in the cache is closed to others while there are too many. On its event loop. */
  private void giveUp(LoopCache cache) {
    for (Checkout resting = cache.yieldOne(); resting != null; resting = cache.yieldOne()) {
      returnToPool(resting);
    }
  }

  /** Some of those who have leases can do without them, from now on. */
  void mayYield() {
    yielding = true;
  }

  /** Answers a request that stands in line; false if it does not any more. On any thread. */
  boolean refuse(Waiter waiter, RuntimeException reason) {
    boolean wasInLine = gate.leave(waiter);
    if (wasInLine) {
      refuseOutOfLine(waiter, reason);
    }
    return wasInLine;
  }

  /** What a session began with. */
  StartValues startOf(Lessee session) {
    return connections.startOf(session);
  }

  // ---- taking

  /** On the request's event loop. */
  void lease(LeaseDesk.Request request, LeaseDesk.Callback callback) {
    CircuitBreaker asked = breaker;
    RefusedException rest = asked == null ? null : asked.refusal();
    if (rest != null) {
      listener.refused(name(), 0);
      callback.leased(null, rest);
      return;
    }
    Lease cached = cached(request);
    if (cached != null) {
      callback.leased(cached, null);
      return;
    }
    var waiter = new Waiter(request, callback, request.loop().ticker().nanoTime());
    switch (gate.enter(waiter)) {
      case GRANTED -> open(waiter);
      case IN_LINE -> awaitTurn(waiter);
      case CLOSED -> refuseOutOfLine(waiter, closing());
    }
  }

  /** See {@link LeaseDesk#leaseNow}. */
  @Nullable Lease leaseNow(LeaseDesk.Request request) {
    CircuitBreaker asked = breaker;
    return asked == null || asked.isClosed() ? cached(request) : null;
  }

  private @Nullable Lease cached(LeaseDesk.Request request) {
    LoopCache cache = cacheOf(request.loop());
    Checkout cached = cache == null ? null : cache.take(request.foundRows());
    if (cached == null) {
      return null;
    }
    listener.leased(name(), 0);
    return new LeaseHandle(this, cached, request);
  }

  /** One more waits: perhaps that is too many. */
  private void shed(long now) {
    int waiting = gate.waiting();
    Priority highest = shedding.upTo(waiting, now);
    Waiter least = highest == null ? null : gate.leastOf(highest);
    if (least != null && gate.leave(least)) {
      refuseOutOfLine(least, shedding.refusal(waiting, now));
    }
  }

  private void awaitTurn(Waiter waiter) {
    if (gate.waiting() == 1) {
      shedding.begins(waiter.sinceNanos());
    }
    await(waiter, definition.connectionTimeoutMilliseconds());
    for (LoopCache cache : caches) {
      if (yielding || cache.size() > 0) {
        cache.loop().execute(() -> yieldTo(cache));
      }
    }
    if (waiter.isJoining()) {
      whenQueued.run();
    }
    waiter.tellPlace(reason -> refuse(waiter, reason));
    shed(waiter.sinceNanos());
    lookLater(waiter.request().loop());
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
    SQLException failure = connections.whyDown();
    return failure == null
        ? ErrorCatalogue.LEASE_TIMEOUT.refuse(name(), definition.connectionTimeoutMilliseconds())
        : unreachable(failure);
  }

  private RefusedException unreachable(SQLException why) {
    boolean isThere = why.getErrorCode() == UNKNOWN_DATABASE;
    ErrorCatalogue what = isThere ? ErrorCatalogue.SCHEMA_GONE : ErrorCatalogue.DATA_SOURCE_DOWN;
    return what.refuse(name(), String.valueOf(why.getMessage()));
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

  /** Has it wait for so long; each second those who have leases are told. On its event loop. */
  private void await(Waiter waiter, long milliseconds) {
    EventLoop loop = waiter.request().loop();
    long step = Math.min(milliseconds, TELLING_MILLISECONDS);
    Runnable next =
        step == milliseconds
            ? () -> expire(waiter)
            : () -> {
              tellHolders(loop.ticker().nanoTime());
              await(waiter, milliseconds - step);
            };
    waiter.timeout(loop.schedule(next, step, TimeUnit.MILLISECONDS));
  }

  /** Clients that take nothing of their answers are not to hold up a line for long. */
  private void tellHolders(long now) {
    long last = told.get();
    boolean isDue = TimeUnit.NANOSECONDS.toMillis(now - last) >= TELLING_MILLISECONDS;
    if (isDue && told.compareAndSet(last, now)) {
      for (LoopCache cache : caches) {
        cache.loop().execute(() -> tell(cache.loop()));
      }
    }
  }

  private void tell(EventLoop loop) {
    var held = new ArrayList<HeldLease>();
    connections.look(loop, held);
    held.forEach(one -> one.lessee().giveWay());
  }

  /** Asks for a lease whose holder can do without it. On its event loop. */
  private void takeBack(EventLoop loop) {
    var held = new ArrayList<HeldLease>();
    connections.look(loop, held);
    for (HeldLease one : held) {
      if (!one.busy() && one.lessee().yields(one.lease())) {
        return;
      }
    }
  }

  /** Takes a connection from HikariCP for a waiter that has a permit. */
  private void open(Waiter waiter) {
    threads.start("lease-" + name(), () -> openBlocking(waiter));
  }

  private void openBlocking(Waiter waiter) {
    Checkout checkout;
    try {
      checkout = connections.open(waiter.request().foundRows());
    } catch (Flavour.DownException down) {
      couldNotOpen();
      permitFreed();
      refuseOutOfLine(waiter, unreachable(down));
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
    checkout.takenAt(waiter.request().loop().ticker().nanoTime());
    checkout.startLease();
    handTo(waiter, checkout);
  }

  private void handTo(Waiter waiter, Checkout checkout) {
    checkout.moveTo(
        waiter.request().loop(),
        failure -> {
          if (failure == null) {
            leased(waiter, checkout);
          } else {
            replace(checkout, "cannot move to another event loop: " + failure, waiter);
          }
        });
  }

  /** The database has closed it on its way: the waiter keeps its permit, for another one. */
  private void replace(Checkout checkout, String reason, Waiter waiter) {
    end(checkout, reason);
    threads.start(
        "replace-" + name(),
        () -> {
          try {
            connections.evict(checkout);
          } finally {
            openBlocking(waiter);
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
    long now = loop.ticker().nanoTime();
    if (checkout.ageNanos(now) > LONGEST_CHECKOUT_NANOS) {
      // however many wait: it may be one that is to be renewed
      returnToPool(checkout);
      return;
    }
    if (gate.waiting() > 0) {
      Waiter next = gate.first(checkout.foundRows(), loop, now);
      if (next != null) {
        shedding.served(now);
        handTo(next, checkout);
      } else {
        returnToPool(checkout);
      }
      return;
    }
    LoopCache cache = cacheOf(loop);
    if (cache == null || gate.isClosed() || gate.isOver()) {
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
    checkout.endLease();
    threads.start(
        "return-" + name(),
        () -> {
          try {
            connections.giveBack(checkout);
          } finally {
            permitFreed();
          }
        });
  }

  /** Ends what runs on the connection; its lease is held meanwhile. Blocks. */
  void interrupt(Checkout checkout) throws SQLException {
    connections.interrupt(checkout);
  }

  void discard(Checkout checkout, String reason) {
    end(checkout, reason);
    threads.start(
        "discard-" + name(),
        () -> {
          try {
            connections.evict(checkout);
          } finally {
            permitFreed();
          }
        });
  }

  private void end(Checkout checkout, String reason) {
    listener.discarded(name(), reason);
    checkout.endLease();
    checkout.abort();
  }

  /** Passes a permit on to the first in line. */
  private void permitFreed() {
    Waiter next = gate.freed();
    if (next != null) {
      shedding.served(next.request().loop().ticker().nanoTime());
      open(next);
    } else if (gate.isClosed() && gate.isDeserted()) {
      closeConnections();
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
      closeConnections();
    } else {
      for (LoopCache cache : caches) {
        cache.loop().execute(cache::clear);
      }
    }
    return drained;
  }

  /** Whoever gives back the last permit, and whoever closes the gate, may both come here. */
  private void closeConnections() {
    threads.start(
        "close-" + name(),
        () -> {
          connections.close();
          drained.complete(null);
        });
  }
}
