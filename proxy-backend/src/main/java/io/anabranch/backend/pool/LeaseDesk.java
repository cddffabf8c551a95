package io.anabranch.backend.pool;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Hands out leases of one logical database's data sources. Thread-safe. */
public interface LeaseDesk {

  /**
   * Takes a lease without blocking. The callback runs on {@code request.loop()}, at once (before
   * this method returns) when that loop has a cached lease.
   */
  void lease(Request request, Callback callback);

  /**
   * Takes a lease, waiting on the calling virtual thread.
   *
   * @throws io.anabranch.rules.error.RefusedException DATA_SOURCE_DOWN, LEASE_TIMEOUT
   */
  Lease leaseBlocking(Request request);

  /**
   * @param dataSource an actual data source; groups are resolved before ({@code backend.topology})
   * @param foundRows the client negotiated CLIENT_FOUND_ROWS: UPDATE counts matched rows
   * @param loop the session's event loop: a relayed channel is moved there
   */
  record Request(String dataSource, boolean foundRows, EventLoop loop) {}

  /** Receives the outcome on the event loop. */
  interface Callback {
    /** Exactly one argument is non-null. */
    void leased(@Nullable Lease lease, @Nullable RuntimeException refusal);
  }
}
