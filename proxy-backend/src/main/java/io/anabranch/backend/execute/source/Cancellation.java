package io.anabranch.backend.execute.source;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.lease.Lease;
import io.anabranch.rules.error.RefusedException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ends one running merge-lane statement from another thread. Thread-safe; for one statement.
 *
 * <p>Cancelling ends the commands that run in databases, as KILL QUERY does there. Connections on
 * which nothing else depends are then closed, so that a reader that waits for a database wakes up
 * in any case; those of a transaction stay, and so does the transaction. The statement fails with
 * the reason that was given here.
 */
public final class Cancellation {

  private static final String CANCELLED = "statement cancelled";

  // Guarded by this:
  private final Map<Lease, Running> running = new HashMap<>();

  /** Written under the lock. */
  private volatile @Nullable RuntimeException reason;

  /** What is known of a lease that runs commands of the statement. */
  private static final class Running {
    private final boolean stays;

    /** Completes when the database has been told to end what runs; null: it is not to be told. */
    private @Nullable CompletableFuture<@Nullable Void> told;

    Running(boolean stays) {
      this.stays = stays;
    }
  }

  /**
   * @param why what {@link PlanWalker#run} throws; the first call counts
   */
  public synchronized void cancel(RuntimeException why) {
    if (reason != null) {
      return;
    }
    reason = why;
    running.forEach(
        (lease, how) ->
            how.told =
                CompletableFuture.runAsync(
                    () -> end(lease, how.stays), task -> Thread.ofVirtual().start(task)));
  }

  /** A database notices that a connection is closed when it writes, which may be never. */
  private static void end(Lease lease, boolean stays) {
    boolean isTold = false;
    try {
      lease.interrupt();
      isTold = true;
    } catch (RefusedException notTold) {
      // then it notices in the end
    } finally {
      if (!stays || !isTold) {
        lease.discard(CANCELLED);
      }
    }
  }

  /** Why it was cancelled; null when it was not. */
  public @Nullable RuntimeException reason() {
    return reason;
  }

  /** Throws the reason once there is one. */
  public void check() {
    RuntimeException why = reason;
    if (why != null) {
      throw why;
    }
  }

  /**
   * From here on {@code lease} runs commands of the statement.
   *
   * @param stays whether the connection is wanted after the statement, whatever becomes of that;
   *     otherwise whoever holds the lease must not release it once there is a {@link #reason}
   */
  public synchronized void enter(Lease lease, boolean stays) {
    if (reason != null) {
      throw reason;
    }
    running.put(lease, new Running(stays));
  }

  /**
   * From here on cancelling does not touch {@code lease}. Blocks while the database is being told
   * to end what runs on a connection that stays.
   */
  public void leave(Lease lease) {
    CompletableFuture<@Nullable Void> told;
    synchronized (this) {
      Running how = running.remove(lease);
      told = how == null || !how.stays ? null : how.told;
    }
    if (told != null) {
      told.join();
    }
  }
}
