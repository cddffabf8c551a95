package io.anabranch.backend.deadlock;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.pool.PoolState;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks servers for their lock waits, all at the same time, each over a connection of its own that
 * stays open while there are questions. Used by one thread; blocks, but not for longer than an
 * answer may take.
 */
final class LockInquiry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LockInquiry.class);
  private static final long ANSWER_MILLISECONDS = 2_000;

  private final Map<String, Line> lines = new ConcurrentHashMap<>();

  /** Servers whose refusal has been told. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /** An open connection. */
  private record Line(Asker asker, LockQuestion question) {}

  /** The lock waits by server; nothing for those that do not tell. */
  Map<String, Set<LockWait>> ask(Collection<PoolState> pools) {
    var asked = new HashMap<String, CompletableFuture<@Nullable Set<LockWait>>>();
    for (PoolState pool : pools) {
      asked.computeIfAbsent(
          pool.server(),
          _ ->
              CompletableFuture.supplyAsync(
                  () -> ask(pool), task -> Thread.ofVirtual().name("lock-waits").start(task)));
    }
    var told = new HashMap<String, Set<LockWait>>();
    asked.forEach(
        (server, answer) -> {
          Set<LockWait> waits = answer.join();
          if (waits != null) {
            told.put(server, waits);
          }
        });
    return told;
  }

  private @Nullable Set<LockWait> ask(PoolState pool) {
    String server = pool.server();
    Line line = lines.get(server);
    try {
      if (line == null) {
        line = line(pool.asker().open(ANSWER_MILLISECONDS));
        lines.put(server, line);
      }
      Set<LockWait> waits = line.question().ask(line.asker());
      if (refused.remove(server)) {
        log.info("{} tells its lock waits now", server);
      }
      return waits;
    } catch (AskException failure) {
      if (failure.isAnswer() && line != null && refused.add(server)) {
        log.warn(
            "{} does not tell its lock waits: {}; {} to the account of {}. Until then deadlocks"
                + " over it and other data sources end with innodb_lock_wait_timeout",
            server,
            failure.getMessage(),
            line.question().grant(),
            pool.dataSource());
      }
      if (!failure.isAnswer() && line != null) {
        lines.remove(server);
        line.asker().close();
      }
      return null;
    }
  }

  private static Line line(Asker asker) throws AskException {
    try {
      return new Line(asker, LockQuestion.of(asker));
    } catch (AskException | RuntimeException unknown) {
      asker.close();
      throw unknown;
    }
  }

  /** Closes the connections; they are opened again for the next question. */
  @Override
  public void close() {
    lines.values().forEach(line -> line.asker().close());
    lines.clear();
  }
}
