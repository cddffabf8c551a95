package io.anabranch.backend.transaction;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the commits of transactions over several data sources and the opening of consistent
 * snapshots apart: a snapshot is opened on all data sources while no such transaction is committed
 * on some of its data sources only. For the transactions of this process. Thread-safe; blocks.
 */
public final class CommitBarrier {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<String> halfDone = new HashSet<>();
  private int committing;
  private int opening;

  /** Waits while snapshots are being opened, then runs the commits on all data sources. */
  public void commit(Runnable commits) {
    lock.lock();
    try {
      while (opening > 0) {
        changed.awaitUninterruptibly();
      }
      committing++;
    } finally {
      lock.unlock();
    }
    try {
      commits.run();
    } finally {
      lock.lock();
      try {
        committing--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** A transaction is committed on some of its data sources, and the others are not reached now. */
  public void halfDone(String transaction) {
    lock.lock();
    try {
      halfDone.add(transaction);
    } finally {
      lock.unlock();
    }
  }

  /** It is committed everywhere now. */
  public void done(String transaction) {
    lock.lock();
    try {
      if (halfDone.remove(transaction)) {
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
      lock.lock();
      try {
        opening--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void enterSnapshot(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      boolean entered = false;
      while (!entered) {
        left = awaitNothingInDoubt(left);
        opening++;
        try {
          left = awaitNoCommit(left);
          entered = halfDone.isEmpty();
        } finally {
          if (!entered) {
            opening--;
            changed.signalAll();
          }
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    } finally {
      lock.unlock();
    }
  }

  /** What is in doubt may take long: commits go on meanwhile. */
  private long awaitNothingInDoubt(long nanos) throws InterruptedException {
    long left = nanos;
    while (!halfDone.isEmpty()) {
      if (left <= 0) {
        throw ErrorCatalogue.NO_SNAPSHOT.refuse("in doubt: " + halfDone);
      }
      left = changed.awaitNanos(left);
    }
    return left;
  }

  private long awaitNoCommit(long nanos) throws InterruptedException {
    long left = nanos;
    while (committing > 0) {
      if (left <= 0) {
        throw ErrorCatalogue.NO_SNAPSHOT.refuse("commits take too long");
      }
      left = changed.awaitNanos(left);
    }
    return left;
  }
}
