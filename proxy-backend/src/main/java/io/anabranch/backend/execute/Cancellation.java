package io.anabranch.backend.execute;

import io.anabranch.backend.pool.Lease;
import io.anabranch.rules.error.RefusedException;
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

  private static final String CANCELLED = "statement cancelled";

  private final Set<Lease> running = new HashSet<>();

  /** Those whose command would go on for long after its connection is closed. */
  private final Set<Lease> computing = new HashSet<>();

  /** Written under the lock. */
  private volatile @Nullable RuntimeException reason;

  /**
   * @param why what {@link PlanWalker#run} throws; the first call counts
   */
  public synchronized void cancel(RuntimeException why) {
    if (reason != null) {
      return;
    }
    reason = why;
    running.forEach(lease -> lease.discard(CANCELLED));
    for (Lease lease : computing) {
      Thread.startVirtualThread(() -> end(lease));
    }
  }

  /** A database notices that a connection is closed when it writes, which may be never. */
  private static void end(Lease lease) {
    try {
      lease.interrupt();
    } catch (RefusedException notTold) {
      // then it notices in the end
    } finally {
      lease.discard(CANCELLED);
    }
  }

  /** Why it was cancelled; null when it was not. */
  public @Nullable RuntimeException reason() {
    return reason;
  }

  /** Throws the reason once there is one. */
  void check() {
    RuntimeException why = reason;
    if (why != null) {
      throw why;
    }
  }

  /** From here on {@code lease} runs commands of the statement. */
  synchronized void enter(Lease lease) {
    if (reason != null) {
      throw reason;
    }
    running.add(lease);
  }

  /**
   * The same for a lease whose command may compute for long before it writes: cancelling ends the
   * command, too. Whoever holds the lease must not release it once there is a {@link #reason}.
   */
  synchronized void enterComputing(Lease lease) {
    if (reason != null) {
      throw reason;
    }
    computing.add(lease);
  }

  /** From here on cancelling does not touch {@code lease}. */
  synchronized void leave(Lease lease) {
    running.remove(lease);
    computing.remove(lease);
  }
}
