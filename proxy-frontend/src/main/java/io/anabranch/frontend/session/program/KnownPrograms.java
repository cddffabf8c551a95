package io.anabranch.frontend.session.program;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stored programs of one data source that leave something in the connection which runs them, or ask
 * it for LAST_INSERT_ID(), and all that use those. Immutable.
 */
public final class KnownPrograms {

  /** There are none. */
  public static final KnownPrograms NONE = new KnownPrograms(List.of());

  private final List<Program> locking = new ArrayList<>();
  private final List<Program> leaving = new ArrayList<>();
  private final List<Program> asking = new ArrayList<>();

  /**
   * @param name in lower case: what a statement must mention to reach it
   * @param effects what it may do
   */
  private record Program(byte[] name, Effects effects) {}

  /**
   * @param changesLocks locks of GET_LOCK may come or go
   * @param locks names of those that may come; null: not all are known
   * @param leavesState variables or temporary tables may be others afterwards
   * @param asksInsertId what LAST_INSERT_ID() is in front matters
   */
  private record Effects(
      boolean changesLocks,
      @Nullable Set<String> locks,
      boolean leavesState,
      boolean asksInsertId) {

    static final Effects NONE = new Effects(false, Set.of(), false, false);

    static Effects of(@Nullable String body) {
      if (body == null) {
        return new Effects(false, Set.of(), true, true);
      }
      return new Effects(
          ProgramText.changesLocks(body),
          ProgramText.locks(body),
          ProgramText.leavesState(body),
          ProgramText.asksInsertId(body));
    }

    boolean areNone() {
      return !changesLocks && !leavesState && !asksInsertId;
    }

    Effects and(Effects other) {
      return new Effects(
          changesLocks || other.changesLocks,
          union(locks, other.locks),
          leavesState || other.leavesState,
          asksInsertId || other.asksInsertId);
    }
  }

  private KnownPrograms(List<Program> programs) {
    for (Program program : programs) {
      if (program.effects().changesLocks()) {
        locking.add(program);
      }
      if (program.effects().leavesState()) {
        leaving.add(program);
      }
      if (program.effects().asksInsertId()) {
        asking.add(program);
      }
    }
  }

  /**
   * @param rows name and text of each program; no text: it cannot be seen
   */
  static KnownPrograms of(List<List<@Nullable String>> rows) {
    var effects = new HashMap<String, Effects>();
    var words = new ArrayList<Set<String>>(rows.size());
    for (List<@Nullable String> row : rows) {
      Effects own = Effects.of(row.get(1));
      if (!own.areNone()) {
        effects.merge(name(row), own, Effects::and);
      }
      words.add(words(row.get(1)));
    }
    boolean grows = !effects.isEmpty();
    while (grows) {
      grows = false;
      for (int i = 0; i < rows.size(); i++) {
        grows |= adopts(name(rows.get(i)), words.get(i), effects);
      }
    }
    var programs = new ArrayList<Program>(effects.size());
    effects.forEach(
        (name, all) -> programs.add(new Program(name.getBytes(StandardCharsets.UTF_8), all)));
    return programs.isEmpty() ? NONE : new KnownPrograms(programs);
  }

  /** Whether the program of that name and text does what it was not known to do. */
  private static boolean adopts(String name, Set<String> words, Map<String, Effects> effects) {
    Effects before = effects.getOrDefault(name, Effects.NONE);
    Effects after = before;
    for (String word : words) {
      Effects used = effects.get(word);
      if (used != null && !word.equals(name)) {
        after = after.and(used);
      }
    }
    if (after.equals(before)) {
      return false;
    }
    effects.put(name, after);
    return true;
  }

  private static String name(List<@Nullable String> row) {
    String name = row.getFirst();
    return name == null ? "" : name.toLowerCase(Locale.ROOT);
  }

  /** All that may be a name in the text: words, and what stands in backquotes. */
  private static Set<String> words(@Nullable String body) {
    var words = new HashSet<String>();
    if (body == null) {
      return words;
    }
    String text = body.toLowerCase(Locale.ROOT);
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || !isOfName(text.charAt(i))) {
        if (i > start) {
          words.add(text.substring(start, i));
        }
        start = i + 1;
      }
    }
    String[] quoted = text.split("`", -1);
    for (int i = 1; i < quoted.length; i += 2) {
      words.add(quoted[i]);
    }
    return words;
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

  /** Whether there are none. */
  public boolean isEmpty() {
    return locking.isEmpty() && leaving.isEmpty() && asking.isEmpty();
  }

  /** Whether there are some that take or release locks. */
  public boolean lock() {
    return !locking.isEmpty();
  }

  /** Whether a statement may take or release locks by them. */
  public boolean mayChangeLocks(byte[] sql) {
    return areMentioned(locking, sql);
  }

  /** Names of the locks that a statement may take by them; null: not all are known. */
  public @Nullable Set<String> locks(byte[] sql) {
    Set<String> locks = Set.of();
    for (Program program : locking) {
      if (mentions(sql, program.name())) {
        locks = union(locks, program.effects().locks());
      }
    }
    return locks;
  }

  /** Whether a statement may leave variables or temporary tables by them. */
  public boolean mayLeaveState(byte[] sql) {
    return areMentioned(leaving, sql);
  }

  /** Whether there are some that ask for LAST_INSERT_ID(). */
  public boolean askInsertId() {
    return !asking.isEmpty();
  }

  /** Whether a statement may ask for LAST_INSERT_ID() by them. */
  public boolean mayAskInsertId(byte[] sql) {
    return areMentioned(asking, sql);
  }

  private static boolean areMentioned(List<Program> programs, byte[] sql) {
    for (Program program : programs) {
      if (mentions(sql, program.name())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the name, in lower case, stands in the text for itself, in any case. */
  private static boolean mentions(byte[] text, byte[] name) {
    for (int i = 0; i <= text.length - name.length; i++) {
      if (matches(text, i, name)
          && (i == 0 || !isOfName((char) text[i - 1]))
          && (i + name.length == text.length || !isOfName((char) text[i + name.length]))) {
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

  /** Of characters, and of the bytes of others than ASCII. */
  private static boolean isOfName(char c) {
    return c >= 128
        || (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '_'
        || c == '$';
  }
}
