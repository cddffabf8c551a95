package io.anabranch.frontend.statementlog;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.listener.FinishedStatement;
import io.anabranch.rules.listener.ListenerDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a plug-in's listener of statements, on a thread of its own. Whoever tells never waits: what
 * the listener does not take in time is dropped and counted. Thread-safe.
 */
final class ListenerThread {

  private static final Logger log = LoggerFactory.getLogger(ListenerThread.class);

  /** Of texts that wait. */
  private static final long WAITING_BYTES = 8L << 20;

  private static final long WORD_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Event loops wake nobody: that would cost them more than the rest of it. */
  private static final long LOOK_MILLISECONDS = 20;

  private final ListenerDefinition definition;
  private final PlugInGuard guard;
  private final Counts counts;
  private final WaitingStatements waiting = new WaitingStatements(WAITING_BYTES);
  private final LongAdder dropped = new LongAdder();
  private final Thread thread;
  private volatile boolean isEnding;
  private volatile boolean isHurried;

  // of the thread
  private final StatementTexts texts = new StatementTexts();
  private long failed;
  private String failure = "";
  private long toldDropped;
  private long toldFailed;
  private long nextWord = System.nanoTime();

  /**
   * Begins.
   *
   * @param counts of all listeners
   */
  ListenerThread(ListenerDefinition definition, Counts counts) {
    this.definition = definition;
    this.guard = new PlugInGuard("statement listener", definition.type());
    this.counts = counts;
    this.thread =
        Thread.ofPlatform().daemon().name("listener-" + definition.name()).unstarted(this::run);
    // what plug-ins load by name is theirs
    thread.setContextClassLoader(definition.listener().getClass().getClassLoader());
    thread.start();
  }

  ListenerDefinition definition() {
    return definition;
  }

  /** Tells it of a statement, soon; does not wait. */
  void tell(LoggedStatement statement) {
    if (!waiting.offer(statement)) {
      dropped.increment();
      counts.dropped.increment();
    }
  }

  private void run() {
    try {
      while (!isHurried && !(isEnding && waiting.isEmpty())) {
        List<LoggedStatement> next = waiting.take(1);
        if (next.isEmpty()) {
          Thread.sleep(LOOK_MILLISECONDS);
        } else {
          tellNow(next.getFirst());
        }
        tellOfTrouble();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void tellNow(LoggedStatement statement) {
    try {
      definition.listener().finished(told(statement));
      counts.told.increment();
    } catch (Throwable thrown) {
      failed(thrown);
    }
  }

  private void failed(Throwable thrown) {
    failure = String.valueOf(guard.failed(thrown).getMessage());
    if (!isHurried) {
      // nobody has interrupted it
      var _ = Thread.interrupted();
    }
    failed++;
    counts.failed.increment();
  }

  private void end() {
    try {
      definition.listener().close();
    } catch (Throwable thrown) {
      failed(thrown);
    }
    nextWord = System.nanoTime();
    tellOfTrouble();
  }

  private FinishedStatement told(LoggedStatement statement) {
    LoggedStatement.Times times = statement.times();
    return new FinishedStatement(
        Instant.ofEpochMilli(statement.ended()),
        statement.session(),
        statement.user(),
        statement.login(),
        statement.client(),
        Optional.ofNullable(statement.database()),
        statement.kind().name(),
        statement.text(texts),
        statement.isWhole(),
        statement.dataSources(),
        new FinishedStatement.Times(
            Duration.ofNanos(times.plan()),
            Duration.ofNanos(times.lease()),
            Duration.ofNanos(times.database()),
            Duration.ofNanos(times.merge()),
            Duration.ofNanos(times.write())),
        statement.rows(),
        statement.affectedRows(),
        statement.errno(),
        Optional.ofNullable(statement.tag()));
  }

  private void tellOfTrouble() {
    long allDropped = dropped.sum();
    if ((allDropped == toldDropped && failed == toldFailed) || System.nanoTime() - nextWord < 0) {
      return;
    }
    log.warn(
        "statement listener {}: {} statement(s) not told, as they came faster than it takes them;"
            + " {} failure(s){}; the proxy goes on",
        definition,
        allDropped - toldDropped,
        failed - toldFailed,
        failed == toldFailed ? "" : ", the last: " + failure);
    toldDropped = allDropped;
    toldFailed = failed;
    nextWord = System.nanoTime() + WORD_NANOS;
  }

  /** No more statements will come. */
  void leave() {
    isEnding = true;
  }

  /**
   * Waits until it has heard of those that came before it was to {@link #leave}.
   *
   * @param deadlineNanos {@link System#nanoTime} from which on it is interrupted
   */
  void awaitEnd(long deadlineNanos) {
    long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    try {
      thread.join(Math.max(1, left));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    isHurried = true;
    thread.interrupt();
  }

  /** Of all listeners, from the start on. */
  static final class Counts {
    final LongAdder told = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder failed = new LongAdder();
  }
}
