package io.anabranch.backend.pool;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.rules.model.protection.Priority;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** One request for a lease that could not be served at once. Settled exactly once. */
final class Waiter {

  private final LeaseDesk.Request request;
  private final LeaseDesk.Callback callback;
  private final long sinceNanos;
  private final boolean isJoining;
  private final String user;
  private final Priority priority;

  /** On the request's event loop only. */
  private @Nullable ScheduledFuture<?> timeout;

  private boolean settled;

  /**
   * @param sinceNanos when it was asked for, by the clock of the request's event loop
   */
  Waiter(LeaseDesk.Request request, LeaseDesk.Callback callback, long sinceNanos) {
    this.request = request;
    this.callback = callback;
    this.sinceNanos = sinceNanos;
    this.isJoining = request.lessee().hasLeases();
    this.user = request.lessee().user();
    this.priority = request.lessee().priority();
  }

  /** Whether whoever asks keeps others waiting as long as it waits itself. */
  boolean isJoining() {
    return isJoining;
  }

  /** When it was asked for: a session may change its user. */
  String user() {
    return user;
  }

  /** Whoever keeps others waiting is not to be sent away. */
  Priority priority() {
    return priority;
  }

  LeaseDesk.Request request() {
    return request;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  long waitedNanos() {
    return request.loop().ticker().nanoTime() - sinceNanos;
  }

  /** On the event loop. */
  void timeout(ScheduledFuture<?> scheduled) {
    if (settled) {
      scheduled.cancel(false);
    } else {
      timeout = scheduled;
    }
  }

  /** On the event loop. */
  void tellPlace(LeaseDesk.Place place) {
    if (!settled) {
      callback.queued(place);
    }
  }

  /** On any thread; exactly one argument is non-null. */
  void settle(@Nullable Lease lease, @Nullable RuntimeException refusal) {
    if (request.loop().inEventLoop()) {
      settleOnLoop(lease, refusal);
    } else {
      request.loop().execute(() -> settleOnLoop(lease, refusal));
    }
  }

  private void settleOnLoop(@Nullable Lease lease, @Nullable RuntimeException refusal) {
    settled = true;
    if (timeout != null) {
      timeout.cancel(false);
    }
    callback.leased(lease, refusal);
  }
}
