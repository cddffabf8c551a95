package io.anabranch.backend.pool;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.pool.wire.WireConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for connections whose bytes are swallowed while their database is well, behind the
 * questions about its health: a command that has been silent for long is asked for on that other
 * connection. Where its thread does something it may take as long as it wants; where the server
 * knows no such thread, or has it wait for a command twice in a row, nobody will ever answer, and
 * the connection is closed. Used by the thread that asks.
 */
final class SilenceWatch {

  private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);

  private final Reach reach;
  private final long limitNanos;
  private final LongFunction<List<WireConnection>> silent;

  /** Those that had nothing to do at the last look. */
  private Set<WireConnection> suspects = Set.of();

  /**
   * @param limitNanos 0: never
   * @param silent the connections whose commands have been silent for so many nanoseconds; blocks
   */
  SilenceWatch(Reach reach, long limitNanos, LongFunction<List<WireConnection>> silent) {
    this.reach = reach;
    this.limitNanos = limitNanos;
    this.silent = silent;
  }

  /** The same questions, and that for the silent behind each. */
  Asker.Opener over(Asker.Opener opener) {
    return limitNanos == 0 ? opener : timeout -> new Looking(opener.open(timeout));
  }

  private final class Looking implements Asker {

    private final Asker asker;

    Looking(Asker asker) {
      this.asker = asker;
    }

    @Override
    public List<Map<String, @Nullable String>> ask(String sql) throws AskException {
      List<Map<String, @Nullable String>> answer = asker.ask(sql);
      look(asker);
      return answer;
    }

    @Override
    public void close() {
      asker.close();
    }
  }

  private void look(Asker asker) {
    List<WireConnection> waiting = silent.apply(limitNanos);
    if (waiting.isEmpty()) {
      suspects = Set.of();
      return;
    }
    Set<Long> working;
    try {
      working = working(asker);
    } catch (AskException unknown) {
      LOG.debug("data source {}: threads not told", reach, unknown);
      return;
    }
    var idle = new HashSet<WireConnection>();
    for (WireConnection each : waiting) {
      if (!working.contains(each.threadId())) {
        idle.add(each);
      }
    }
    var lost = new ArrayList<>(idle);
    lost.retainAll(suspects);
    suspects = idle;
    for (WireConnection each : lost) {
      LOG.warn(
          "data source {}: a command was sent to thread {}, which has not got it: closed",
          reach,
          each.threadId());
      each.abort();
    }
  }

  /** Ids of the account's threads that do something. */
  private static Set<Long> working(Asker asker) throws AskException {
    var working = new HashSet<Long>();
    for (Map<String, @Nullable String> row : asker.ask("SHOW PROCESSLIST")) {
      String id = row.get("id");
      if (id != null && !"Sleep".equals(row.get("command"))) {
        working.add(Long.parseLong(id));
      }
    }
    return working;
  }
}
