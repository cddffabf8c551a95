package io.anabranch.backend.execute.source;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.lease.Lease;
import io.anabranch.rules.error.RefusedException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends one running merge-lane statement from another thread. Thread-safe; for one statement.
 *
 * <p>Cancelling ends the commands that run in databases, as KILL QUERY does there; what they still
 * answer is read away, and their connections serve others. Where a database cannot be told, or has
 * not come to an end {@value #MOST_SECONDS} seconds later, the connection is closed, so that a
 * reader that waits for it wakes up in any case; those of a transaction stay once the database is
 * told, and so does the transaction. The statement fails with the reason that was given here.
 */
public final class Cancellation {

  private static final String CANCELLED = "statement cancelled";

  /** How long a database may take to end what it was told to end. */
  static final int MOST_SECONDS = 5;

  // Guarded by this:
  private final Map<Lease, Running> running = new HashMap<>();

  /** Written under the lock. */
  private volatile @Nullable RuntimeException reason;

  /** What is known of a lease that runs commands of the statement. */
  private static final class Running {
    private final boolean stays;

    /** Completes when the database has been told to end what runs; null: it is not to be told. */
    private @Nullable CompletableFuture<@Nullable Void> told;

    /** Nothing of the statement runs there any more. */
    private final CountDownLatch left = new CountDownLatch(1);

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
        (lease, how) -> {
          var told = new CompletableFuture<@Nullable Void>();
          how.told = told;
          Thread.ofVirtual()
              .name("cancel-" + lease.dataSource())
              .start(() -> end(lease, how, told));
        });
  }

  /** A database notices that a connection is closed when it writes, which may be never. */
  private static void end(Lease lease, Running how, CompletableFuture<@Nullable Void> told) {
    boolean hasEnded = false;
    try {
      lease.interrupt();
      told.complete(null);
      hasEnded = how.stays || how.left.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (RefusedException notTold) {
      // then it notices in the end
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      if (!hasEnded) {
        lease.discard(CANCELLED);
      }
      told.complete(null);
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
   * to end what runs on the connection.
   *
   * @return whether it was told: the next statement on the connection may be hit instead
   */
  public boolean leave(Lease lease) {
    CompletableFuture<@Nullable Void> told;
    synchronized (this) {
      Running how = running.remove(lease);
      if (how == null) {
        return false;
      }
      how.left.countDown();
      told = how.told;
    }
    if (told == null) {
      return false;
    }
    told.join();
    return true;
  }
}
