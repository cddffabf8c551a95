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
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.ConnectionRoom;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataSourceDefinition;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases from one HikariCP pool per data source and flavour, of one logical database's data
 * sources.
 */
public final class HikariLeaseDesk implements LeaseDesk, AutoCloseable {

  private final Map<String, SourcePool> pools = new LinkedHashMap<>();
  private final ConnectionRoom room;
  private volatile Runnable whenQueued = () -> {};

  /**
   * Opens nothing: connections are made by {@link #warmUp}, and when a statement needs them.
   *
   * @param database the logical database's name, for the log
   * @throws IllegalArgumentException for a URL that cannot be used
   */
  public HikariLeaseDesk(
      String database,
      Collection<DataSourceDefinition> sources,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener) {
    this(database, sources, Set.of(), transport, shards, listener);
  }

  /**
   * @param tracked data sources that are asked to tell the GTIDs of writes ({@link Commits})
   */
  public HikariLeaseDesk(
      String database,
      Collection<DataSourceDefinition> sources,
      Set<String> tracked,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener) {
    this(database, sources, tracked, transport, shards, listener, null);
  }

  /**
   * Takes the pools of data sources that are as they were from a desk that it will replace, which
   * goes on with them until {@link #leaveTo}.
   *
   * @param former null: there is none
   */
  public HikariLeaseDesk(
      String database,
      Collection<DataSourceDefinition> sources,
      Set<String> tracked,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener,
      @Nullable HikariLeaseDesk former) {
    this.room = transport.room();
    for (DataSourceDefinition source : sources) {
      boolean isTracked = tracked.contains(source.name());
      SourcePool present = former == null ? null : former.pools.get(source.name());
      pools.put(
          source.name(),
          present != null && present.serves(source, isTracked)
              ? present
              : new SourcePool(
                  database,
                  source,
                  isTracked,
                  transport,
                  shards,
                  listener,
                  () -> whenQueued.run()));
    }
  }

  /** Data sources whose pools are no other desk's. */
  public List<String> sourcesBeside(Collection<HikariLeaseDesk> others) {
    return pools.entrySet().stream()
        .filter(pool -> isOwn(pool.getValue(), others))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isOwn(SourcePool pool, Collection<HikariLeaseDesk> others) {
    return others.stream().noneMatch(other -> other.pools.containsValue(pool));
  }

  /** As {@link #drain}, but for the pools that other desks have, too. */
  public CompletableFuture<Void> leaveTo(Collection<HikariLeaseDesk> others) {
    return CompletableFuture.allOf(
        pools.values().stream()
            .filter(pool -> isOwn(pool, others))
            .map(SourcePool::drain)
            .toArray(CompletableFuture<?>[]::new));
  }

  /** As {@link #cut}, for all data sources whose pools are no other desk's. */
  public void cutBeside(Collection<HikariLeaseDesk> others) {
    sourcesBeside(others).forEach(this::cut);
  }

  /** Whether there are too many pools, of all databases, to keep connections that are not used. */
  public boolean isCrowded() {
    return room.isCrowded();
  }

  /**
   * Opens the first connections in the background, so that a database that is down is logged; it is
   * asked again when a statement needs it.
   */
  public void warmUp() {
    pools.values().forEach(SourcePool::warmUp);
  }

  @Override
  public void lease(Request request, Callback callback) {
    SourcePool pool = pool(request.dataSource());
    if (request.loop().inEventLoop()) {
      pool.lease(request, callback);
    } else {
      request.loop().execute(() -> pool.lease(request, callback));
    }
  }

  @Override
  public @Nullable Lease leaseNow(Request request) {
    return pool(request.dataSource()).leaseNow(request);
  }

  @Override
  public StartValues startOf(String dataSource, Lessee session) {
    return pool(dataSource).startOf(session);
  }

  @Override
  public Lease leaseBlocking(Request request, Consumer<Place> queued) {
    var wait = new BlockingWait(queued);
    lease(request, wait);
    return wait.await();
  }

  /** One thread waits for a lease. */
  private static final class BlockingWait implements Callback {

    private final Consumer<Place> told;
    private final CompletableFuture<Lease> leased = new CompletableFuture<>();
    private volatile @Nullable Place place;

    BlockingWait(Consumer<Place> told) {
      this.told = told;
    }

    @Override
    public void queued(Place given) {
      place = given;
      told.accept(given);
      if (leased.isCancelled()) {
        given.leave(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
      }
    }

    @Override
    public void leased(@Nullable Lease lease, @Nullable RuntimeException refusal) {
      if (lease == null) {
        leased.completeExceptionally(
            refusal == null ? new IllegalStateException("neither lease nor refusal") : refusal);
      } else if (!leased.complete(lease)) {
        // Whoever asked was interrupted meanwhile.
        lease.release();
      }
    }

    Lease await() {
      try {
        return leased.get();
      } catch (ExecutionException refused) {
        if (refused.getCause() instanceof RuntimeException refusal) {
          throw refusal;
        }
        throw new CompletionException(refused.getCause());
      } catch (InterruptedException interrupted) {
        if (!leased.cancel(false) && !leased.isCompletedExceptionally()) {
          leased.resultNow().release();
        }
        Place left = place;
        if (left != null) {
          left.leave(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
        }
        Thread.currentThread().interrupt();
        throw new CompletionException(interrupted);
      }
    }
  }

  @Override
  public void globalsChanged(String dataSource, long since) {
    pool(dataSource).learnStart(since);
  }

  private SourcePool pool(String dataSource) {
    SourcePool pool = pools.get(dataSource);
    if (pool == null) {
      throw new IllegalArgumentException("no data source '" + dataSource + "'");
    }
    return pool;
  }

  /** Opens connections for questions about a data source's health. */
  public Asker.Opener asker(String dataSource) {
    return pool(dataSource).healthAsker();
  }

  /**
   * Says whether a database is down: leases that would need a new connection are refused at once.
   *
   * @param reason null: it is up again
   */
  public void down(String dataSource, @Nullable String reason) {
    pool(dataSource).down(reason);
  }

  /**
   * Breaks all connections to a data source, leased ones too: it hangs, and whoever waits for its
   * answer can go elsewhere.
   */
  public void cut(String dataSource) {
    pool(dataSource).cut();
  }

  /**
   * @param told when somebody who has leases stands in line for another; on event loops, must be
   *     quick
   */
  public void whenQueued(Runnable told) {
    whenQueued = told;
  }

  /** How many data sources of all desks have connections that are leased or cached. */
  public static int used(Collection<HikariLeaseDesk> desks) {
    return (int) distinct(desks).stream().filter(SourcePool::isUsed).count();
  }

  /**
   * Who has connections of these desks and who waits for one, by data source. Blocks until each
   * event loop has had a moment for it.
   */
  public static List<PoolState> look(Collection<HikariLeaseDesk> desks) {
    return distinct(desks).stream().map(SourcePool::look).toList();
  }

  /** One that replaces another shares pools with it for a while. */
  private static Set<SourcePool> distinct(Collection<HikariLeaseDesk> desks) {
    var distinct = new LinkedHashSet<SourcePool>();
    desks.forEach(desk -> distinct.addAll(desk.pools.values()));
    return distinct;
  }

  @Override
  public List<HeldLease> held() {
    return pools.values().stream().flatMap(pool -> pool.look().held().stream()).toList();
  }

  @Override
  public PoolGauges gauges(String dataSource) {
    return pool(dataSource).gauges();
  }

  @Override
  public CircuitBreaker.@Nullable Status breaker(String dataSource) {
    return pool(dataSource).breaker();
  }

  /**
   * Refuses new leases at once and closes each connection when its lease ends.
   *
   * @return completes when all are closed
   */
  public CompletableFuture<Void> drain() {
    return CompletableFuture.allOf(
        pools.values().stream().map(SourcePool::drain).toArray(CompletableFuture<?>[]::new));
  }

  /** Starts {@link #drain} and does not wait for it. */
  @Override
  public void close() {
    var _ = drain();
  }
}
