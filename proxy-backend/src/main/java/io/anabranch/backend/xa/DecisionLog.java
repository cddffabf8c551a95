package io.anabranch.backend.xa;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Makes decisions durable, and forgets them when no branch is left. A few writers, each on an event
 * loop: those of a session's own loop need no other thread. Thread-safe.
 */
final class DecisionLog {

  /** More would not share commits any more; each has a connection while there is work. */
  static final int MOST_WRITERS = 4;

  private static final int MOST = 256;

  /** What the log says of a transaction. */
  enum Decision {
    /** It is in the log: all its branches are to be committed. */
    COMMIT,
    /** It is not, and cannot come there any more. */
    ROLLBACK
  }

  private final LogStore store;
  private final List<LogWriter> writers = new ArrayList<>();
  private final LinkedBlockingQueue<GlobalId> finished = new LinkedBlockingQueue<>();

  DecisionLog(LogStore store, EventLoopGroup loops, XaListener listener) {
    this(store, loops, listener, work -> Thread.ofVirtual().name("xa-log").start(work));
  }

  /**
   * @param threads for what blocks
   */
  DecisionLog(LogStore store, EventLoopGroup loops, XaListener listener, Executor threads) {
    this.store = store;
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

  /** No branch of the transaction is left; it goes out of the log with the next {@link #sweep}. */
  void finished(GlobalId transaction) {
    finished.add(transaction);
  }

  /** Takes finished transactions out of the log. Blocks. */
  void sweep() {
    var batch = new ArrayList<GlobalId>(MOST);
    while (finished.drainTo(batch, MOST) > 0) {
      try {
        store.forget(batch);
      } catch (RuntimeException failure) {
        finished.addAll(batch);
        throw failure;
      }
      batch.clear();
    }
  }

  void close() {
    writers.forEach(LogWriter::close);
  }
}
