package io.anabranch.backend.pool;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.lease.StartValues;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for changes of a server's global variables that were not made through the proxy, behind the
 * questions about its health: sessions that begin then are to have the new values. Used by the
 * thread that asks; may be used again for the next connection.
 */
final class StartWatch {

  private static final Logger LOG = LoggerFactory.getLogger(StartWatch.class);
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_PATIENCE = 64;

  private final String source;
  private final StartHistory history;
  private final Runnable changed;
  private long lookedAt = System.nanoTime();

  /** The global values at the last look, and what sessions were known to begin with. */
  private @Nullable StartValues seen;

  private @Nullable StartValues known;

  /** Looks since the last connection was asked for, and how many are to pass. */
  private int waited;

  private int patience = 1;

  /**
   * @param changed has a connection opened, which tells {@code history} what it begins with; must
   *     not block
   */
  StartWatch(String source, StartHistory history, Runnable changed) {
    this.source = source;
    this.history = history;
    this.changed = changed;
  }

  /** The same questions, and at times that for the variables. */
  Asker.Opener over(Asker.Opener opener) {
    return timeout -> new Looking(opener.open(timeout));
  }

  private final class Looking implements Asker {

    private final Asker asker;

    Looking(Asker asker) {
      this.asker = asker;
    }

    @Override
    public List<Map<String, @Nullable String>> ask(String sql) throws AskException {
      List<Map<String, @Nullable String>> answer = asker.ask(sql);
      long now = System.nanoTime();
      if (now - lookedAt >= INTERVAL_NANOS) {
        lookedAt = now;
        look(asker);
      }
      return answer;
    }

    @Override
    public void close() {
      asker.close();
    }
  }

  /** The connection may not have come to be; and where init_connect changes some, they differ. */
  private void tell(boolean isNew) {
    waited = isNew ? 0 : waited + 1;
    patience = isNew ? 1 : patience;
    if (isNew || waited >= patience) {
      waited = 0;
      patience = Math.min(2 * patience, MOST_PATIENCE);
      changed.run();
    }
  }

  private void look(Asker asker) {
    try {
      var told = new TreeMap<String, String>();
      for (Map<String, @Nullable String> row : asker.ask(StartValues.ASK_GLOBAL)) {
        String name = row.get("variable_name");
        String value = row.get("value");
        if (name != null && value != null) {
          told.put(name, value);
        }
      }
      StartValues now = StartValues.of(told);
      StartValues newest = history.newest();
      boolean isNew = !now.equals(seen) || !newest.equals(known);
      seen = now;
      known = newest;
      if (!now.equals(newest)) {
        tell(isNew);
      }
    } catch (AskException unknown) {
      LOG.debug("data source '{}': global variables not told", source, unknown);
    }
  }
}
