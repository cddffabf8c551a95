package io.anabranch.backend.lease;

import org.jspecify.annotations.Nullable;

/**
 * What LAST_INSERT_ID() of a connection is, as far as it is known: 0 where it has been opened, what
 * whoever has the connection says later. Told on the event loop or by a thread that has the lease;
 * leases hand over safely.
 */
public final class KnownInsertId {

  private volatile @Nullable Long id = 0L;

  /** Unsigned; null: it is not known. */
  public @Nullable Long get() {
    return id;
  }

  /**
   * @param now unsigned
   */
  public void set(long now) {
    id = now;
  }

  /** Something may have changed it: an answer tells a key, generated or not. */
  public void forget() {
    id = null;
  }
}
