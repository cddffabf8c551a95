package io.anabranch.backend.xa;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes decisions durable. One thread writes all that have gathered while the write before was
 * under way, so that many transactions share one commit of the log. Thread-safe.
 */
final class DecisionLog implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(DecisionLog.class);
  private static final int MOST = 256;
  private static final long PAUSE_MILLISECONDS = 200;

  private final LogStore store;
  private final XaListener listener;
  private final LinkedBlockingQueue<Entry> waiting = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<GlobalId> finished = new LinkedBlockingQueue<>();
  private volatile boolean failing;
  private final CountDownLatch closed = new CountDownLatch(1);

  DecisionLog(LogStore store, XaListener listener) {
    this.store = store;
    this.listener = listener;
  }

  /** A decision that is asked for. */
  static final class Entry {

    private final GlobalId transaction;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CompletableFuture<Decision> decision = new CompletableFuture<>();

    Entry(GlobalId transaction) {
      this.transaction = transaction;
    }

    /** Completes when the log has told; never exceptionally. */
    CompletableFuture<Decision> decision() {
      return decision;
    }

    /** Whether it was not under way yet: then it is rolled back for certain. */
    boolean withdraw() {
      boolean inTime = taken.compareAndSet(false, true);
      if (inTime) {
        decision.complete(Decision.ROLLBACK);
      }
      return inTime;
    }
  }

  /** Asks for COMMIT; does not block. */
  Entry commit(GlobalId transaction) {
    var entry = new Entry(transaction);
    waiting.add(entry);
    return entry;
  }

  /** Whether the last attempt to write failed. */
  boolean isFailing() {
    return failing;
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

  /** Writes until {@link #close}. */
  @Override
  public void run() {
    var batch = new ArrayList<Entry>(MOST);
    try {
      while (closed.getCount() > 0) {
        Entry first = waiting.poll(1, TimeUnit.SECONDS);
        if (first != null) {
          batch.add(first);
          waiting.drainTo(batch, MOST - 1);
          batch.removeIf(entry -> !entry.taken.compareAndSet(false, true));
          write(batch);
          batch.clear();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes again until the log has told: an attempt whose answer was lost may have succeeded. */
  private void write(List<Entry> batch) throws InterruptedException {
    while (!batch.isEmpty()) {
      try {
        Collection<GlobalId> wanted = batch.stream().map(entry -> entry.transaction).toList();
        Set<String> decided = store.decide(wanted);
        failing = false;
        listener.logged(batch.size());
        for (Entry entry : batch) {
          boolean commits = decided.contains(entry.transaction.toString());
          entry.decision.complete(commits ? Decision.COMMIT : Decision.ROLLBACK);
        }
        return;
      } catch (RuntimeException failure) {
        if (!failing) {
          log.warn("XA: cannot write to the log in {}: {}", store.source(), failure.getMessage());
        }
        failing = true;
        if (closed.await(PAUSE_MILLISECONDS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    }
  }

  void close() {
    closed.countDown();
  }
}
