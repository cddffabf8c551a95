package io.anabranch.backend.transaction.commit;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Keeps the commits of transactions over several data sources and the opening of consistent
 * snapshots apart: a snapshot is opened on all data sources while no such transaction is committed
 * on some of its data sources only. For the transactions of this process. Thread-safe; only
 * snapshots block.
 */
public final class CommitBarrier {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<String> halfDone = new HashSet<>();

  /** Commits that came while snapshots were being opened. */
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  private int committing;
  private int opening;

  /** Whether {@link #halfDone} has any: for those who only look. */
  private volatile boolean isAnyHalfDone;

  /**
   * Runs the commits on all data sources as soon as no snapshot is being opened: at once, or on the
   * thread that has opened the last. Does not wait.
   *
   * @param commits completes when they are done
   */
  public <T> CompletableFuture<T> commit(Supplier<CompletableFuture<T>> commits) {
    return entered().thenCompose(_ -> commits.get()).whenComplete((_, _) -> left());
  }

  private CompletableFuture<Void> entered() {
    lock.lock();
    try {
      if (opening == 0) {
        committing++;
        return DONE;
      }
      var turn = new CompletableFuture<Void>();
      waiting.add(turn);
      return turn;
    } finally {
      lock.unlock();
    }
  }

  private void left() {
    lock.lock();
    try {
      committing--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A transaction is committed on some of its data sources, and the others are not reached now. */
  public void halfDone(String transaction) {
    lock.lock();
    try {
      halfDone.add(transaction);
      isAnyHalfDone = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there are transactions that are committed in part only, or may be. */
  public boolean hasHalfDone() {
    return isAnyHalfDone;
  }

  /** It is committed everywhere now. */
  public void done(String transaction) {
    lock.lock();
    try {
      if (halfDone.remove(transaction)) {
        isAnyHalfDone = !halfDone.isEmpty();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no transaction is committed in part only, and opens snapshots while none begins to
   * be committed.
   *
   * @param open must be short: commits wait for it
   * @throws io.anabranch.rules.error.RefusedException if the wait takes longer
   */
  public void snapshot(Runnable open, long timeoutMilliseconds) {
    enterSnapshot(TimeUnit.MILLISECONDS.toNanos(timeoutMilliseconds));
    try {
      open.run();
    } finally {
      leaveSnapshot();
    }
  }

  private void enterSnapshot(long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean entered = false;
    while (!entered) {
      boolean excludes = false;
      try {
        openWhenNothingIsInDoubt(deadline);
        excludes = true;
        entered = isCommittedWhole(deadline);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
      } finally {
        if (excludes && !entered) {
          leaveSnapshot();
        }
      }
    }
  }

  /** What is in doubt may take long: commits go on meanwhile. */
  private void openWhenNothingIsInDoubt(long deadline) throws InterruptedException {
    lock.lock();
    try {
      long left = deadline - System.nanoTime();
      while (!halfDone.isEmpty()) {
        if (left <= 0) {
          throw ErrorCatalogue.NO_SNAPSHOT.refuse("in doubt: " + halfDone);
        }
        left = changed.awaitNanos(left);
      }
      opening++;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the commits under way; false if one of them came into doubt. */
  private boolean isCommittedWhole(long deadline) throws InterruptedException {
    lock.lock();
    try {
      long left = deadline - System.nanoTime();
      while (committing > 0) {
        if (left <= 0) {
          throw ErrorCatalogue.NO_SNAPSHOT.refuse("commits take too long");
        }
        left = changed.awaitNanos(left);
      }
      return halfDone.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The last that leaves lets the commits go on that came meanwhile. */
  private void leaveSnapshot() {
    List<CompletableFuture<Void>> admitted = List.of();
    lock.lock();
    try {
      opening--;
      changed.signalAll();
      if (opening == 0) {
        admitted = List.copyOf(waiting);
        waiting.clear();
        committing += admitted.size();
      }
    } finally {
      lock.unlock();
    }
    admitted.forEach(turn -> turn.complete(null));
  }
}
