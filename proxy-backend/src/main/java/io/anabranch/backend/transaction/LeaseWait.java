package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.LeaseDesk;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one session's statement for a lease: whoever ends the statement ends the wait, so
 * that those who are killed stand in nobody's way. Thread-safe; one statement at a time.
 */
public final class LeaseWait {

  // Guarded by this:
  private @Nullable RuntimeException ending;
  private LeaseDesk.@Nullable Place place;

  /**
   * The statement is to end. If it waits it may be over when this returns.
   *
   * @param reason what it is told instead of getting its lease
   */
  public void end(RuntimeException reason) {
    LeaseDesk.Place left;
    synchronized (this) {
      ending = reason;
      left = place;
      place = null;
    }
    if (left != null) {
      left.leave(reason);
    }
  }

  /** Another statement starts. */
  public synchronized void clear() {
    ending = null;
    place = null;
  }

  /** The statement stands in line there; a place of one that is served has no effect. */
  void awaits(LeaseDesk.Place next) {
    RuntimeException reason;
    synchronized (this) {
      reason = ending;
      place = next;
    }
    if (reason != null) {
      next.leave(reason);
    }
  }
}
