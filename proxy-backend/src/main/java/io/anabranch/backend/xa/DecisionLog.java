package io.anabranch.backend.xa;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes decisions durable, and forgets them when nobody can ask for them any more. A few writers,
 * each on an event loop: those of a session's own loop need no other thread. Thread-safe.
 *
 * <p>That all branches have told that they are committed is not enough: where a replica takes over
 * that had not got that far, they are prepared again, and only the log knows what is to become of
 * them. Decisions are therefore kept for as long as a failover takes, and until all data sources
 * have been looked at after that.
 */
final class DecisionLog {

  /** More would not share commits any more; each has a connection while there is work. */
  static final int MOST_WRITERS = 4;

  private static final int MOST = 256;

  /** How long a decision is kept that all branches have heard: until a failover is over. */
  static final long KEPT_MILLISECONDS = 600_000;

  /** No more of those are kept, or the log would grow with the load. */
  static final int MOST_KEPT = 100_000;

  /** What the log says of a transaction. */
  enum Decision {
    /** It is in the log: all its branches are to be committed. */
    COMMIT,
    /** It is not, and cannot come there any more. */
    ROLLBACK
  }

  private final LogStore store;
  private final List<LogWriter> writers = new ArrayList<>();
  private final LinkedBlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
  private final long keptNanoseconds;
  private final LongSupplier clock;

  /** When the last look at all data sources began, by the clock. */
  private volatile long lastLook;

  /**
   * @param finishedAt by the clock
   */
  private record Finished(GlobalId transaction, long finishedAt) {}

  /**
   * @param retentionMilliseconds what is finished is not kept for longer than that
   */
  DecisionLog(
      LogStore store, EventLoopGroup loops, XaListener listener, long retentionMilliseconds) {
    this(
        store,
        loops,
        listener,
        retentionMilliseconds,
        System::nanoTime,
        work -> Thread.ofVirtual().name("xa-log").start(work));
  }

  /**
   * @param clock in nanoseconds
   * @param threads for what blocks
   */
  DecisionLog(
      LogStore store,
      EventLoopGroup loops,
      XaListener listener,
      long retentionMilliseconds,
      LongSupplier clock,
      Executor threads) {
    this.store = store;
    this.keptNanoseconds =
        TimeUnit.MILLISECONDS.toNanos(Math.min(retentionMilliseconds, KEPT_MILLISECONDS));
    this.clock = clock;
    this.lastLook = clock.getAsLong();
    for (EventExecutor loop : loops) {
      if (writers.size() < MOST_WRITERS) {
        writers.add(new LogWriter(store, listener, (EventLoop) loop, threads));
      }
    }
  }

  /**
   * Asks for COMMIT; does not block.
   *
   * @param near where the answer is wanted
   */
  LogWriter.Entry commit(GlobalId transaction, EventLoop near) {
    for (LogWriter writer : writers) {
      if (writer.isOn(near)) {
        return writer.commit(transaction);
      }
    }
    int any = Math.floorMod(near.hashCode(), writers.size());
    return writers.get(any).commit(transaction);
  }

  /** Whether the last attempt to write failed. */
  boolean isFailing() {
    for (LogWriter writer : writers) {
      if (writer.isFailing()) {
        return true;
      }
    }
    return false;
  }

  /** All branches have told that they are committed. */
  void finished(GlobalId transaction) {
    finished.add(new Finished(transaction, clock.getAsLong()));
  }

  /**
   * All data sources have been looked at for branches.
   *
   * @param begun when the look began, by the clock
   */
  void lookedSince(long begun) {
    lastLook = begun;
  }

  /** Takes transactions out of the log that were finished long ago. Blocks. */
  void sweep() {
    var batch = new ArrayList<Finished>(MOST);
    while (take(batch)) {
      try {
        store.forget(batch.stream().map(Finished::transaction).toList());
      } catch (RuntimeException failure) {
        finished.addAll(batch);
        throw failure;
      }
      batch.clear();
    }
  }

  private boolean take(List<Finished> batch) {
    long look = lastLook;
    Finished oldest = finished.peek();
    while (oldest != null
        && batch.size() < MOST
        && (look - oldest.finishedAt >= keptNanoseconds || finished.size() > MOST_KEPT)) {
      batch.add(finished.remove());
      oldest = finished.peek();
    }
    return !batch.isEmpty();
  }

  void close() {
    writers.forEach(LogWriter::close);
  }
}
