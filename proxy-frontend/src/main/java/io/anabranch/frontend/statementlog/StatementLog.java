package io.anabranch.frontend.statementlog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of statements in a file of its own, a line of JSON each. Whoever logs never waits: what the
 * writer's thread cannot write in time, or the disk does not take, is dropped and counted, and the
 * proxy's log says so, not more often than each minute. Thread-safe.
 */
public final class StatementLog implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StatementLog.class);

  private static final int WAITING = 8192;
  private static final long WORD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_MILLISECONDS = 200;
  private static final long END_MILLISECONDS = 2000;

  private final Path path;
  private final RolledFile file;
  private final BlockingQueue<LoggedStatement> waiting = new ArrayBlockingQueue<>(WAITING);
  private final LongAdder dropped = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final Thread writer;
  private volatile boolean isClosed;

  // of the writer
  private long told;
  private long nextWord = System.nanoTime();
  private String problem = "";

  /**
   * Begins to write; a file that cannot be opened is tried again with each statement.
   *
   * @param mostBytes of one file
   * @param files that are kept
   */
  public StatementLog(Path path, long mostBytes, int files) {
    this.path = path;
    this.file = new RolledFile(path, mostBytes, files);
    this.writer = Thread.ofPlatform().daemon().name("log-" + path.getFileName()).start(this::run);
  }

  /** Logs the statement, soon; does not wait. */
  public void log(LoggedStatement statement) {
    if (!waiting.offer(statement)) {
      dropped.increment();
    }
  }

  /** Statements that are not in the file although they were to be. */
  public long dropped() {
    return dropped.sum();
  }

  /** Statements that are in the file. */
  public long written() {
    return written.sum();
  }

  private void run() {
    try {
      while (!isClosed || !waiting.isEmpty()) {
        LoggedStatement next = waiting.poll(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
        if (next != null) {
          write(next);
        }
        tellOfDrops();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      try {
        file.close();
      } catch (IOException failure) {
        log.warn("{} could not be closed: {}", path, failure.toString());
      }
    }
  }

  private void write(LoggedStatement statement) {
    try {
      file.write(JsonLine.of(statement));
      written.increment();
      problem = "";
    } catch (IOException failure) {
      problem = failure.toString();
      dropped.increment();
    }
  }

  private void tellOfDrops() {
    long all = dropped.sum();
    if (all == told || System.nanoTime() - nextWord < 0) {
      return;
    }
    log.warn(
        "{}: {} statement(s) not logged: {}; the proxy goes on",
        path,
        all - told,
        problem.isEmpty() ? "they came faster than they could be written" : problem);
    told = all;
    nextWord = System.nanoTime() + WORD_NANOS;
  }

  /** Writes what waits, for at most two seconds. */
  @Override
  public void close() {
    isClosed = true;
    try {
      writer.join(END_MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    writer.interrupt();
  }
}
