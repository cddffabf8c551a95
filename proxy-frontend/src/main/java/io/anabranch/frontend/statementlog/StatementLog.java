package io.anabranch.frontend.statementlog;

import io.anabranch.rules.model.ProxyProperties.LogForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of statements in a file of its own. Whoever logs never waits: what the writer's thread
 * cannot write in time, or the disk does not take, is dropped and counted, and the proxy's log says
 * so, not more often than each minute. Thread-safe.
 */
public final class StatementLog implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StatementLog.class);

  /** Of texts that wait. */
  private static final long WAITING_BYTES = 16L << 20;

  private static final long WORD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int BATCH = 256;
  private static final int FLUSH_BYTES = 64 * 1024;

  /** Event loops wake nobody: that would cost them more than the rest of it. */
  private static final long LOOK_MILLISECONDS = 20;

  private static final long END_MILLISECONDS = 2000;

  private final Path path;
  private final RolledFile file;
  private final WaitingStatements waiting = new WaitingStatements(WAITING_BYTES);
  private final LongAdder dropped = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final Function<LoggedStatement, String> lines;
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
   * @param form of an entry
   */
  public StatementLog(Path path, long mostBytes, int files, LogForm form) {
    this.path = path;
    this.file = new RolledFile(path, mostBytes, files);
    this.lines = lines(form);
    this.writer = Thread.ofPlatform().daemon().name("log-" + path.getFileName()).start(this::run);
  }

  /** By the writer's thread alone. */
  private static Function<LoggedStatement, String> lines(LogForm form) {
    var texts = new StatementTexts();
    var moments = new Moments();
    return switch (form) {
      case JSON ->
          statement -> JsonLine.of(statement, moments.of(statement.ended()), statement.text(texts));
      case TEXT -> statement -> SlowLogEntry.of(statement, statement.text(texts));
    };
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
        List<LoggedStatement> batch = waiting.take(BATCH);
        if (batch.isEmpty()) {
          Thread.sleep(LOOK_MILLISECONDS);
        } else {
          write(batch);
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

  private void write(List<LoggedStatement> batch) {
    int unflushed = 0;
    int left = batch.size();
    for (LoggedStatement statement : batch) {
      unflushed++;
      left--;
      try {
        file.append(lines.apply(statement));
        if (left == 0 || file.waiting() >= FLUSH_BYTES) {
          file.flush();
          written.add(unflushed);
          unflushed = 0;
          problem = "";
        }
      } catch (IOException | RuntimeException failure) {
        // the others are written all the same
        problem = failure.toString();
        dropped.add(unflushed);
        unflushed = 0;
      }
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
