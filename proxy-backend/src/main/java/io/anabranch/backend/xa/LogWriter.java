package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.xa.DecisionLog.Decision;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions to the log over one connection: all that have gathered while the write before
 * was under way with one statement, so that many transactions share one commit.
 *
 * <p>Lives on an event loop, which waits for nothing. A connection is taken, and whatever went
 * wrong is tried again, on a thread of its own; in between the connection is kept for a moment.
 */
final class LogWriter {

  private static final Logger log = LoggerFactory.getLogger(LogWriter.class);
  private static final int MOST = 256;
  private static final long PAUSE_MILLISECONDS = 200;

  /** A connection that is kept for longer would miss that the group has another primary. */
  private static final long HOLD_MILLISECONDS = 1000;

  private final LogStore store;
  private final XaListener listener;
  private final EventLoop loop;
  private final Executor threads;
  private volatile boolean closed;
  private volatile boolean failing;

  // On the event loop only:
  private final Queue<Entry> waiting = new ArrayDeque<>();
  private boolean writing;
  private Links.@Nullable Link link;

  /** The connection has been kept for long enough. */
  private boolean due;

  /**
   * @param threads for what blocks
   */
  LogWriter(LogStore store, XaListener listener, EventLoop loop, Executor threads) {
    this.threads = threads;
    this.store = store;
    this.listener = listener;
    this.loop = loop;
  }

  /** A decision that is asked for. */
  static final class Entry {

    private final GlobalId transaction;
    private final EventLoop loop;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CompletableFuture<Decision> decision = new CompletableFuture<>();

    private Entry(GlobalId transaction, EventLoop loop) {
      this.transaction = transaction;
      this.loop = loop;
    }

    /** Completes on {@link #loop} when the log has told; never exceptionally. */
    CompletableFuture<Decision> decision() {
      return decision;
    }

    EventLoop loop() {
      return loop;
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

  /** Asks for COMMIT, on any thread. */
  Entry commit(GlobalId transaction) {
    var entry = new Entry(transaction, loop);
    onLoop(
        () -> {
          waiting.add(entry);
          next();
        });
    return entry;
  }

  boolean isOn(EventLoop of) {
    return loop.equals(of);
  }

  /** Whether the last attempt to write failed. */
  boolean isFailing() {
    return failing;
  }

  /** What is not written yet remains open. */
  void close() {
    closed = true;
    onLoop(this::letGo);
  }

  private void onLoop(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
    } else {
      loop.execute(task);
    }
  }

  // ---------------------------------------------------------------- on the event loop

  private void next() {
    if (writing) {
      return;
    }
    var batch = new ArrayList<Entry>();
    while (batch.size() < MOST && !waiting.isEmpty()) {
      Entry entry = waiting.remove();
      if (entry.taken.compareAndSet(false, true)) {
        batch.add(entry);
      }
    }
    if (batch.isEmpty()) {
      return;
    }
    writing = true;
    Links.Link kept = link;
    if (kept == null) {
      insist(batch);
    } else {
      kept.send(store.decision(transactions(batch)))
          .thenAccept(reply -> onLoop(() -> answered(reply, kept, batch)));
    }
  }

  private void answered(ShardReply reply, Links.Link kept, List<Entry> batch) {
    ShardOutcome outcome = reply.outcome();
    if (outcome != null && outcome.affectedRows() == batch.size()) {
      written(batch, names(batch));
      return;
    }
    link = null;
    if (reply.isLost()) {
      kept.discard();
    } else {
      kept.giveBack();
    }
    insist(batch);
  }

  private void written(List<Entry> batch, Set<String> decided) {
    failing = false;
    writing = false;
    listener.logged(batch.size());
    for (Entry entry : batch) {
      boolean commits = decided.contains(entry.transaction.toString());
      entry.decision.complete(commits ? Decision.COMMIT : Decision.ROLLBACK);
    }
    if (due || closed) {
      letGo();
    }
    next();
  }

  private void keep(Links.Link taken) {
    link = taken;
    due = false;
    loop.schedule(this::letGo, HOLD_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  private void letGo() {
    due = writing;
    Links.Link kept = link;
    if (!writing && kept != null) {
      link = null;
      kept.giveBack();
    }
  }

  // ---------------------------------------------------------------- on a thread of its own

  /** Writes until the log has told: an attempt whose answer was lost may have succeeded. */
  private void insist(List<Entry> batch) {
    threads.execute(() -> write(batch));
  }

  private void write(List<Entry> batch) {
    Links.Link taken = null;
    try {
      taken = store.take(loop);
      Set<String> decided = store.decide(taken, transactions(batch));
      keepAndTell(taken, batch, decided);
    } catch (RuntimeException failure) {
      if (taken != null) {
        taken.discard();
      }
      if (!failing) {
        log.warn("XA: cannot write to the log in {}: {}", store.source(), failure.getMessage());
      }
      failing = true;
      if (!closed) {
        loop.schedule(() -> again(batch), PAUSE_MILLISECONDS, TimeUnit.MILLISECONDS);
      }
    }
  }

  private void again(List<Entry> batch) {
    if (!closed) {
      insist(batch);
    }
  }

  private void keepAndTell(Links.Link taken, List<Entry> batch, Set<String> decided) {
    loop.execute(
        () -> {
          keep(taken);
          written(batch, decided);
        });
  }

  private static List<GlobalId> transactions(List<Entry> batch) {
    return batch.stream().map(entry -> entry.transaction).toList();
  }

  private static Set<String> names(List<Entry> batch) {
    var names = new HashSet<String>();
    batch.forEach(entry -> names.add(entry.transaction.toString()));
    return names;
  }
}
