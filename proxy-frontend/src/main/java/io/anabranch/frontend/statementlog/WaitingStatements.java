package io.anabranch.frontend.statementlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Statements that have run and that one thread is to write or to tell of. Bounded by their number
 * and by the bytes of their texts: what comes faster is not kept. Thread-safe.
 */
final class WaitingStatements {

  private static final int MOST = 8192;

  private final BlockingQueue<LoggedStatement> waiting = new ArrayBlockingQueue<>(MOST);
  private final AtomicLong bytes = new AtomicLong();
  private final long mostBytes;

  /**
   * @param mostBytes of texts
   */
  WaitingStatements(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Whether there was room for it; does not wait. */
  boolean offer(LoggedStatement statement) {
    int length = statement.written().length;
    if (bytes.addAndGet(length) <= mostBytes && waiting.offer(statement)) {
      return true;
    }
    bytes.addAndGet(-length);
    return false;
  }

  /** The next ones, at most {@code most}; empty: none waits. */
  List<LoggedStatement> take(int most) {
    var taken = new ArrayList<LoggedStatement>();
    waiting.drainTo(taken, most);
    taken.forEach(statement -> bytes.addAndGet(-statement.written().length));
    return taken;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }
}
