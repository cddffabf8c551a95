package io.anabranch.frontend.session.program;

import io.anabranch.backend.lease.BlockingWork;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.effort.Wish;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a logical database's servers have of stored functions, procedures, triggers and views that
 * leave something in the connection which runs them: locks of GET_LOCK, variables, temporary
 * tables. No answer tells of the locks, and no error of anything. Asked for once per data source,
 * again after DDL and every minute.
 *
 * <p>Shared by all sessions; thread-safe.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/locking-functions.html">Functions</a>
 */
public final class StoredPrograms {

  private static final Logger log = LoggerFactory.getLogger(StoredPrograms.class);

  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** While others change programs without end. */
  private static final int MOST_TIMES = 5;

  /** Asking takes no more than this part of a server's time, however many programs it has. */
  private static final long SHARE = 200;

  private static final String ALL =
      """
      SELECT ROUTINE_NAME AS name, ROUTINE_DEFINITION AS body FROM information_schema.ROUTINES
      WHERE ROUTINE_SCHEMA NOT IN (%1$s)
      UNION ALL SELECT EVENT_OBJECT_TABLE, ACTION_STATEMENT FROM information_schema.TRIGGERS
      WHERE TRIGGER_SCHEMA NOT IN (%1$s)
      UNION ALL SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS
      WHERE TABLE_SCHEMA NOT IN (%1$s)\
      """
          .formatted("'mysql', 'sys', 'information_schema', 'performance_schema'");

  /** Without one of these all others are harmless. */
  private static final String SUSPECT =
      "SELECT name, body FROM ("
          + ALL
          + ") AS programs WHERE body IS NULL OR LOWER(body) LIKE '%get\\_lock%'"
          + " OR LOWER(body) LIKE '%release\\_lock%' OR LOWER(body) LIKE '%release\\_all\\_locks%'"
          + " OR body LIKE '%@%' OR LOWER(body) LIKE '%temporary%' OR LOWER(body) LIKE '%set%'"
          + " OR LOWER(body) LIKE '%last\\_insert\\_id%'";

  private final SchemaCatalog catalog;
  private final Map<String, Answer> known = new ConcurrentHashMap<>();

  /** What was asked before DDL is not remembered after it. */
  private final AtomicLong changes = new AtomicLong();

  /**
   * @param until {@link System#nanoTime} from which on it is asked again
   */
  private record Answer(KnownPrograms programs, long until) {}

  public StoredPrograms(SchemaCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * What is known of an endpoint; null before it was asked.
   *
   * @param now {@link System#nanoTime}
   * @param background asks again when it is time, while others go on with what is known
   */
  public @Nullable KnownPrograms known(String endpoint, long now, Executor background) {
    Answer last = known.get(endpoint);
    if (last == null) {
      return null;
    }
    if (now - last.until > 0
        && known.replace(endpoint, last, new Answer(last.programs, now + FRESH_NANOS))) {
      background.execute(() -> ask(endpoint));
    }
    return last.programs;
  }

  /** What is known of an endpoint, or what it answers now. Blocks where it is asked. */
  public KnownPrograms knownOrAsked(String endpoint) {
    Answer last = known.get(endpoint);
    return last == null || System.nanoTime() - last.until > 0 ? ask(endpoint) : last.programs;
  }

  /** A statement may have changed programs: what they do is in its text, or in theirs. */
  public void changed(boolean mayMatter) {
    if (mayMatter || known.values().stream().anyMatch(each -> !each.programs.isEmpty())) {
      changes.incrementAndGet();
      known.clear();
    }
  }

  /** Asks an endpoint. Blocks; one that does not answer is taken for one without such programs. */
  public KnownPrograms ask(String endpoint) {
    return BlockingWork.shared(() -> asked(endpoint));
  }

  private KnownPrograms asked(String endpoint) {
    Answer answer;
    int times = 0;
    long before;
    do {
      before = changes.get();
      answer = answer(endpoint);
    } while (before != changes.get() && times++ < MOST_TIMES);
    if (before == changes.get()) {
      known.put(endpoint, answer);
    }
    return answer.programs;
  }

  private Answer answer(String endpoint) {
    long start = System.nanoTime();
    try {
      KnownPrograms suspects = KnownPrograms.of(catalog.rows(endpoint, SUSPECT));
      KnownPrograms found =
          suspects.isEmpty() ? suspects : KnownPrograms.of(catalog.rows(endpoint, ALL));
      long end = System.nanoTime();
      return new Answer(found, end + Math.max(FRESH_NANOS, (end - start) * SHARE));
    } catch (RuntimeException silent) {
      // who asked may be the one that ends
      Wish.requireWanted();
      log.debug("data source {}: stored programs are not known", endpoint, silent);
      Answer last = known.get(endpoint);
      KnownPrograms before = last == null ? KnownPrograms.NONE : last.programs;
      return new Answer(before, System.nanoTime() + FRESH_NANOS);
    }
  }
}
