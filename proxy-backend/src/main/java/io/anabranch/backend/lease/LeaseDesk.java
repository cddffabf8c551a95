package io.anabranch.backend.lease;

import io.netty.channel.EventLoop;
import java.util.List;
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
   * Takes a lease, waiting on the calling virtual thread.
   *
   * @throws io.anabranch.rules.error.RefusedException DATA_SOURCE_DOWN, LEASE_TIMEOUT
   */
  Lease leaseBlocking(Request request);

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
  }
}
