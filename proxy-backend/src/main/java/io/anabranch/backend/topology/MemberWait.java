package io.anabranch.backend.topology;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one session's statement for a member that takes it: whoever ends the statement ends
 * the wait. Thread-safe; one statement at a time.
 */
public final class MemberWait {

  private volatile @Nullable RuntimeException ending;
  private volatile @Nullable CompletableFuture<@Nullable Void> change;
  private volatile long sinceNanos;

  /**
   * The statement is to end.
   *
   * @param reason what those who wait are told
   */
  public void end(RuntimeException reason) {
    ending = reason;
    CompletableFuture<@Nullable Void> awaited = change;
    if (awaited != null) {
      awaited.complete(null);
    }
  }

  /** Another statement starts. */
  public void clear() {
    ending = null;
    change = null;
    sinceNanos = 0;
  }

  /** When the statement began to wait, {@link System#nanoTime}: this is asked first. */
  public long since() {
    long since = sinceNanos;
    if (since == 0) {
      since = System.nanoTime();
      sinceNanos = since;
    }
    return since;
  }

  /** Why the statement is to end; null while it is not. */
  @Nullable RuntimeException ending() {
    return ending;
  }

  void awaits(CompletableFuture<@Nullable Void> next) {
    change = next;
    if (ending != null) {
      next.complete(null);
    }
  }
}
