package io.anabranch.backend.lease;

import io.anabranch.backend.breaker.CircuitBreaker;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands out leases of one logical database's data sources. Thread-safe. */
public interface LeaseDesk {

  /**
   * Takes a lease without blocking. The callback runs on {@code request.loop()}, at once (before
   * this method returns) when that loop has a cached lease.
   */
  void lease(Request request, Callback callback);

  /**
   * Takes a lease that is at hand. On {@code request.loop()}.
   *
   * @return null if that loop has none cached
   */
  default @Nullable Lease leaseNow(Request request) {
    return null;
  }

  /**
   * What a session began with, see {@link Lease#wantedStart}.
   *
   * @param dataSource an actual data source
   */
  default StartValues startOf(String dataSource, Lessee session) {
    return StartValues.UNKNOWN;
  }

  /** As the other, for waits that only an interrupt of the thread ends. */
  default Lease leaseBlocking(Request request) {
    return leaseBlocking(request, _ -> {});
  }

  /**
   * Takes a lease, waiting on the calling virtual thread. A thread that is interrupted leaves the
   * line.
   *
   * @param queued see {@link Callback#queued}
   * @throws io.anabranch.rules.error.RefusedException DATA_SOURCE_DOWN, DATA_SOURCE_RESTS,
   *     LEASE_TIMEOUT
   */
  Lease leaseBlocking(Request request, Consumer<Place> queued);

  /**
   * SET GLOBAL has run on a data source: sessions that begin from {@code since} on have the new
   * values, those before the old ones, whatever connections serve them. Blocks.
   *
   * @param since {@link System#nanoTime}
   */
  default void globalsChanged(String dataSource, long since) {}

  /**
   * How many connections a data source has.
   *
   * @param dataSource an actual data source
   */
  default PoolGauges gauges(String dataSource) {
    return PoolGauges.NONE;
  }

  /**
   * A look at a data source's circuit breaker; null: it has none.
   *
   * @param dataSource an actual data source
   */
  default CircuitBreaker.@Nullable Status breaker(String dataSource) {
    return null;
  }

  /** Who has connections now. Blocks until each event loop has had a moment for it. */
  default List<HeldLease> held() {
    return List.of();
  }

  /**
   * @param dataSource an actual data source; groups are resolved before ({@code backend.topology})
   * @param foundRows the client negotiated CLIENT_FOUND_ROWS: UPDATE counts matched rows
   * @param loop the session's event loop: a relayed channel is moved there
   * @param commits told of what is committed during the lease
   * @param lessee who asks
   */
  record Request(
      String dataSource, boolean foundRows, EventLoop loop, Commits commits, Lessee lessee) {

    /** Nobody is told of commits. */
    public Request(String dataSource, boolean foundRows, EventLoop loop) {
      this(dataSource, foundRows, loop, Commits.NOBODY, Lessee.NOBODY);
    }
  }

  /** Is told of the GTIDs that a leased connection's server tells; on the lease's event loop. */
  interface Commits {

    /** Nobody wants to know. */
    Commits NOBODY = (_, _, _) -> {};

    /**
     * @param database the logical database of the data source
     */
    void committed(String database, String dataSource, String gtid);
  }

  /** Receives the outcome on the event loop. */
  interface Callback {
    /** Exactly one argument is non-null. */
    void leased(@Nullable Lease lease, @Nullable RuntimeException refusal);

    /** There is no lease now: the request stands in line. */
    default void queued(Place place) {}
  }

  /** Where a request stands in line. */
  interface Place {
    /**
     * Nobody waits for the lease any more: the request is answered so, unless it is being served.
     * On any thread.
     */
    void leave(RuntimeException reason);
  }
}
