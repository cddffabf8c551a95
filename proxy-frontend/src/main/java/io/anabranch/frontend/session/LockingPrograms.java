package io.anabranch.frontend.session;

import io.anabranch.rules.planner.SchemaCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stored functions, procedures, triggers and views of a logical database's servers that take or
 * release locks of GET_LOCK, or use others that do: no answer tells of such locks. Most servers
 * have none. Asked for once per data source, again after DDL and every minute; programs whose text
 * the data source's account cannot see are taken for harmless.
 *
 * <p>Shared by all sessions; thread-safe.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/locking-functions.html">Functions</a>
 */
public final class LockingPrograms {

  private static final Logger log = LoggerFactory.getLogger(LockingPrograms.class);

  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** While others change programs without end. */
  private static final int MOST_TIMES = 5;

  /** Asking takes no more than this part of a server's time, however many programs it has. */
  private static final long SHARE = 200;

  private static final Pattern CALL =
      Pattern.compile("get_lock`?\\s*\\(", Pattern.CASE_INSENSITIVE);

  /** A call whose lock has a name that can be written in a question as it stands. */
  private static final Pattern NAMED_CALL =
      Pattern.compile(
          "get_lock`?\\s*\\(\\s*(?:_[a-z0-9]+\\s*)?'([^'\\\\\\p{Cntrl}\\P{ASCII}]*)'\\s*,",
          Pattern.CASE_INSENSITIVE);

  private static final String ALL =
      """
      SELECT ROUTINE_NAME AS name, ROUTINE_DEFINITION AS body FROM information_schema.ROUTINES
      WHERE ROUTINE_SCHEMA NOT IN (%1$s)
      UNION ALL SELECT EVENT_OBJECT_TABLE, ACTION_STATEMENT FROM information_schema.TRIGGERS
      WHERE TRIGGER_SCHEMA NOT IN (%1$s)
      UNION ALL SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS
      WHERE TABLE_SCHEMA NOT IN (%1$s)"""
          .formatted("'mysql', 'sys', 'information_schema', 'performance_schema'");

  private static final String LOCKING =
      "SELECT name, body FROM ("
          + ALL
          + ") AS programs WHERE LOWER(body) LIKE '%get\\_lock%'"
          + " OR LOWER(body) LIKE '%release\\_lock%' OR LOWER(body) LIKE '%release\\_all\\_locks%'";

  private final SchemaCatalog catalog;
  private final Map<String, Found> known = new ConcurrentHashMap<>();

  /** What was asked before DDL is not remembered after it. */
  private final AtomicLong changes = new AtomicLong();

  /**
   * @param name in lower case: what a statement must mention to reach it
   * @param locks names of the locks that it may take; null: not all are known
   */
  private record Program(byte[] name, @Nullable Set<String> locks) {}

  /** Those of one data source. */
  public static final class Found {

    private final List<Program> programs;

    /** {@link System#nanoTime} from which on it is asked again. */
    private final long until;

    private Found(List<Program> programs, long until) {
      this.programs = programs;
      this.until = until;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
      return programs.isEmpty();
    }

    /** Whether a statement may reach one. */
    public boolean areMentioned(byte[] sql) {
      for (Program program : programs) {
        if (mentions(sql, program.name())) {
          return true;
        }
      }
      return false;
    }

    /** Names of the locks that a statement may take by them; null: not all are known. */
    public @Nullable Set<String> locks(byte[] sql) {
      Set<String> locks = Set.of();
      for (Program program : programs) {
        if (mentions(sql, program.name())) {
          locks = union(locks, program.locks());
        }
      }
      return locks;
    }
  }

  LockingPrograms(SchemaCatalog catalog) {
    this.catalog = catalog;
  }

  /** What is known of an endpoint; null before it was asked. */
  public @Nullable Found known(String endpoint) {
    return known.get(endpoint);
  }

  /**
   * Whether it is time to ask again, while others go on with what is known; true once each time.
   *
   * @param now {@link System#nanoTime}
   */
  public boolean areStale(String endpoint, Found last, long now) {
    return now - last.until > 0
        && known.replace(endpoint, last, new Found(last.programs, now + FRESH_NANOS));
  }

  /** A statement may have changed programs: locks are in its text, or in theirs. */
  public void changed(boolean mentionsLocks) {
    if (mentionsLocks || known.values().stream().anyMatch(each -> !each.isEmpty())) {
      changes.incrementAndGet();
      known.clear();
    }
  }

  /** Asks an endpoint. Blocks; one that does not answer is taken for one without such programs. */
  public Found ask(String endpoint) {
    Found answer;
    int times = 0;
    long before;
    do {
      before = changes.get();
      answer = answer(endpoint);
    } while (before != changes.get() && times++ < MOST_TIMES);
    if (before == changes.get()) {
      known.put(endpoint, answer);
    }
    return answer;
  }

  private Found answer(String endpoint) {
    long start = System.nanoTime();
    try {
      List<List<@Nullable String>> locking = catalog.rows(endpoint, LOCKING);
      long end = System.nanoTime();
      return new Found(
          locking.isEmpty() ? List.of() : users(locking, catalog.rows(endpoint, ALL)),
          end + Math.max(FRESH_NANOS, (end - start) * SHARE));
    } catch (RuntimeException silent) {
      log.debug("data source {}: programs that take locks are not known", endpoint, silent);
      Found last = known.get(endpoint);
      return new Found(last == null ? List.of() : last.programs, System.nanoTime() + FRESH_NANOS);
    }
  }

  /** Those programs, and all that mention them, one behind the other. */
  private static List<Program> users(
      List<List<@Nullable String>> locking, List<List<@Nullable String>> all) {
    var programs = new HashMap<String, @Nullable Set<String>>();
    for (List<@Nullable String> row : locking) {
      String name = lower(row, 0);
      programs.put(name, union(programs.getOrDefault(name, Set.of()), locks(lower(row, 1))));
    }
    boolean grows = true;
    while (grows) {
      grows = false;
      for (List<@Nullable String> row : all) {
        grows |= adopts(lower(row, 0), bytes(lower(row, 1)), programs);
      }
    }
    var found = new ArrayList<Program>(programs.size());
    programs.forEach((name, locks) -> found.add(new Program(bytes(name), locks)));
    return List.copyOf(found);
  }

  /** Whether the program of that name and text takes locks that it was not known to take. */
  private static boolean adopts(
      String name, byte[] body, Map<String, @Nullable Set<String>> programs) {
    boolean isNew = !programs.containsKey(name);
    Set<String> before = isNew ? Set.of() : programs.get(name);
    Set<String> locks = before;
    boolean uses = false;
    for (Map.Entry<String, @Nullable Set<String>> used : programs.entrySet()) {
      if (!used.getKey().equals(name) && mentions(body, bytes(used.getKey()))) {
        uses = true;
        locks = union(locks, used.getValue());
      }
    }
    if (!uses || (!isNew && Objects.equals(locks, before))) {
      return false;
    }
    programs.put(name, locks);
    return true;
  }

  private static @Nullable Set<String> union(
      @Nullable Set<String> some, @Nullable Set<String> more) {
    if (some == null || more == null) {
      return null;
    }
    var all = new HashSet<>(some);
    all.addAll(more);
    return all;
  }

  private static @Nullable Set<String> locks(String body) {
    var names = new HashSet<String>();
    Matcher named = NAMED_CALL.matcher(body);
    long count = 0;
    while (named.find()) {
      names.add(named.group(1));
      count++;
    }
    return CALL.matcher(body).results().count() == count ? names : null;
  }

  /** Names of locks do not tell upper from lower case, nor do those of programs here. */
  private static String lower(List<@Nullable String> row, int column) {
    String cell = row.get(column);
    return cell == null ? "" : cell.toLowerCase(Locale.ROOT);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the name, in lower case, stands in the text for itself, in any case. */
  private static boolean mentions(byte[] text, byte[] name) {
    for (int i = 0; i <= text.length - name.length; i++) {
      if (matches(text, i, name)
          && (i == 0 || !isOfName(text[i - 1]))
          && (i + name.length == text.length || !isOfName(text[i + name.length]))) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(byte[] text, int at, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      int b = text[at + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfName(byte b) {
    return b < 0
        || (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '_'
        || b == '$';
  }
}
