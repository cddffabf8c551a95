package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.backend.topology.position.PositionSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks primaries for their positions, on a connection and a virtual thread each, which begin with
 * the first question. Questions that come while one is under way share the next.
 */
public final class PositionAsker implements PositionSource, AutoCloseable {

  private static final long TIMEOUT_MILLISECONDS = 1000;

  /** For a question, and the one before it: whoever asks waits for the answer. */
  private static final long PATIENCE_MILLISECONDS = 5 * TIMEOUT_MILLISECONDS;

  private final Function<String, Asker.Opener> openers;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param openers by data source
   */
  public PositionAsker(Function<String, Asker.Opener> openers) {
    this.openers = openers;
  }

  @Override
  public boolean tracksWrites() {
    return true;
  }

  @Override
  public CompletableFuture<@Nullable Position> position(String dataSource) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("nobody asks any more"));
    }
    var answer = new CompletableFuture<@Nullable Position>();
    lines
        .computeIfAbsent(dataSource, name -> new Line(name, openers.apply(name)))
        .waiting
        .add(answer);
    // whatever becomes of the line, of one that is just being closed for instance
    return answer.orTimeout(PATIENCE_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    closed = true;
    lines.values().forEach(line -> line.thread.interrupt());
  }

  /** The questions to one data source. */
  private static final class Line {
    final LinkedBlockingQueue<CompletableFuture<@Nullable Position>> waiting =
        new LinkedBlockingQueue<>();
    final Thread thread;
    private final Asker.Opener opener;
    private @Nullable Asker asker;
    private String question = "";

    Line(String dataSource, Asker.Opener opener) {
      this.opener = opener;
      this.thread = Thread.ofVirtual().name("position-" + dataSource).start(this::run);
    }

    private void run() {
      try {
        while (true) {
          List<CompletableFuture<@Nullable Position>> answered = new ArrayList<>();
          answered.add(waiting.take());
          waiting.drainTo(answered);
          answer(answered);
        }
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      } finally {
        disconnect();
        var reason = new IllegalStateException("nobody asks any more");
        waiting.forEach(one -> one.completeExceptionally(reason));
      }
    }

    private void answer(List<CompletableFuture<@Nullable Position>> answered) {
      try {
        Position position = ask();
        answered.forEach(one -> one.complete(position));
      } catch (AskException | RuntimeException | Error failure) {
        disconnect();
        answered.forEach(one -> one.completeExceptionally(failure));
      }
    }

    private @Nullable Position ask() throws AskException {
      Asker open = asker;
      if (open == null) {
        open = opener.open(TIMEOUT_MILLISECONDS);
        asker = open;
        String version =
            Inquiry.text(Inquiry.first(open.ask("SELECT @@version AS version")), "version");
        question =
            version.contains("MariaDB")
                ? "SELECT @@gtid_binlog_pos AS position"
                : "SELECT @@global.gtid_executed AS position";
      }
      String text = Inquiry.text(Inquiry.first(open.ask(question)), "position");
      // Long sets come with line breaks.
      return text.isEmpty() ? null : Position.parse(text.replace("\n", ""));
    }

    private void disconnect() {
      Asker open = asker;
      asker = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
