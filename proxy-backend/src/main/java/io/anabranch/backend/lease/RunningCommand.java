package io.anabranch.backend.lease;

import io.anabranch.rules.error.RefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a lease until somebody {@link #leave}s, and how that is ended from another thread.
 * Thread-safe.
 *
 * <p>Its database is told, as KILL QUERY does it. Where that cannot be, or it has not come to an
 * end {@value #MOST_SECONDS} seconds later, the connection is closed, so that whoever waits for it
 * wakes up in any case: a database notices that a connection is closed when it writes, which may be
 * never. Connections that stay are not closed once the database has been told.
 */
public final class RunningCommand {

  /** How long a database may take to end what it was told to end. */
  static final int MOST_SECONDS = 5;

  private final Lease lease;
  private final boolean stays;

  /** It runs no more. Counted down under the lock. */
  private final CountDownLatch left = new CountDownLatch(1);

  // Guarded by this:
  /** Completes when the database has been told; null: it is not to be told. */
  private @Nullable CompletableFuture<@Nullable Void> telling;

  /**
   * @param stays whether the connection is wanted afterwards, whatever becomes of what runs
   */
  public RunningCommand(Lease lease, boolean stays) {
    this.lease = lease;
    this.stays = stays;
  }

  /** Ends it, on a thread of its own. */
  public void end() {
    CompletableFuture<@Nullable Void> told = begin();
    if (told != null) {
      start(() -> tell(told));
    }
  }

  /** Ends it if it still runs then. */
  void endAfter(int milliseconds) {
    start(
        () -> {
          CompletableFuture<@Nullable Void> told = isLeft(milliseconds) ? null : begin();
          if (told != null) {
            tell(told);
          }
        });
  }

  private void start(Runnable ending) {
    Thread.ofVirtual().name("end-" + lease.dataSource()).start(ending);
  }

  private synchronized @Nullable CompletableFuture<@Nullable Void> begin() {
    telling = left.getCount() == 0 ? null : new CompletableFuture<>();
    return telling;
  }

  private void tell(CompletableFuture<@Nullable Void> told) {
    boolean hasEnded = false;
    try {
      lease.interrupt();
      told.complete(null);
      hasEnded = stays || isLeft(TimeUnit.SECONDS.toMillis(MOST_SECONDS));
    } catch (RefusedException notTold) {
      // then it notices in the end
    } finally {
      if (!hasEnded) {
        lease.discard("statement cancelled");
      }
      told.complete(null);
    }
  }

  private boolean isLeft(long milliseconds) {
    try {
      return left.await(milliseconds, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * It runs no more. Blocks while the database is being told to end it.
   *
   * @return whether it was told: the next command on the connection may be hit instead
   */
  public boolean leave() {
    CompletableFuture<@Nullable Void> told;
    synchronized (this) {
      left.countDown();
      told = telling;
    }
    if (told == null) {
      return false;
    }
    told.join();
    return true;
  }
}
