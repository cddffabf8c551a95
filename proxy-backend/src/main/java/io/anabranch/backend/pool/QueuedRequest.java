package io.anabranch.backend.pool;

import io.anabranch.backend.lease.Lessee;
import io.anabranch.rules.error.RefusedException;

/** A request for a lease that stands in line; the same as another look's if it is equal. */
public final class QueuedRequest {

  private final SourceLeases leases;
  private final Waiter waiter;

  QueuedRequest(SourceLeases leases, Waiter waiter) {
    this.leases = leases;
    this.waiter = waiter;
  }

  public Lessee lessee() {
    return waiter.request().lessee();
  }

  public long waitedNanos() {
    return waiter.waitedNanos();
  }

  /**
   * Takes it out of the line and answers it so.
   *
   * @return false if it stands there no longer
   */
  public boolean refuse(RefusedException reason) {
    return leases.refuse(waiter, reason);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueuedRequest same && same.waiter.equals(waiter);
  }

  @Override
  public int hashCode() {
    return waiter.hashCode();
  }
}
