package io.anabranch.backend.execute;

import io.anabranch.backend.pool.Lease;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends one running merge-lane statement from another thread. Thread-safe; for one statement.
 *
 * <p>Cancelling closes the connections that the statement uses, so that a reader that waits for a
 * database wakes up at once; the statement then fails with the reason that was given here.
 */
public final class Cancellation {

  private final Set<Lease> running = new HashSet<>();
  private @Nullable RuntimeException reason;

  /**
   * @param why what {@link PlanWalker#run} throws; the first call counts
   */
  public synchronized void cancel(RuntimeException why) {
    if (reason != null) {
      return;
    }
    reason = why;
    running.forEach(lease -> lease.discard("statement cancelled"));
  }

  /** Why it was cancelled; null when it was not. */
  public synchronized @Nullable RuntimeException reason() {
    return reason;
  }

  /** From here on {@code lease} runs commands of the statement. */
  synchronized void enter(Lease lease) {
    if (reason != null) {
      throw reason;
    }
    running.add(lease);
  }

  /** From here on cancelling does not touch {@code lease}. */
  synchronized void leave(Lease lease) {
    running.remove(lease);
  }
}
