package io.anabranch.rules.effort;

import io.anabranch.rules.lexer.Scan;

/**
 * How deep the tree of a statement can be: found without reading its grammar, never too low. Each
 * word and each sign may be a level below the one in front of it. A comma begins anew, one level
 * deeper where it may stand between tables: behind a word that tables may follow, in the
 * parentheses that it stands in and those within them, but for the list of a {@code (SELECT}.
 * Behind a parenthesis goes on what was in front of it.
 */
public final class Nesting {

  /** Parentheses within each other whose beginnings are remembered. */
  private static final int REMEMBERED = 1024;

  /** Slots are bytes below it. */
  private static final int BLANK = ' ';

  private static final String[] BEFORE_TABLES = {
    "FROM", "JOIN", "STRAIGHT_JOIN", "UPDATE", "DELETE", "USING", "TABLE", "TABLES"
  };

  private static final String SELECT = "SELECT";

  private final Scan scan;

  /** By open parentheses, the level at which what they enclose begins. */
  private final int[] beginnings = new int[REMEMBERED];

  /** By open parentheses, whether tables may follow within them. */
  private final boolean[] tables = new boolean[REMEMBERED];

  /** Whether words may stand where they mean nothing: then tables may follow everywhere. */
  private final boolean isUnclear;

  private int open;
  private int levels;
  private int most;

  /** Whether there was more than a literal since the last comma. */
  private boolean mayBeTable;

  private Nesting(Scan scan) {
    this.scan = scan;
    isUnclear = scan.hasExecutableComment() || hasWordsInside(scan);
    tables[0] = isUnclear;
  }

  /** Levels of the statement's tree at most. */
  public static int of(Scan scan) {
    var nesting = new Nesting(scan);
    nesting.read();
    return nesting.most;
  }

  /**
   * Whether there are comments, quotes within quotes, or characters that may have a quote's byte.
   */
  private static boolean hasWordsInside(Scan scan) {
    byte before = 0;
    for (int i = 0; i < scan.normalLength(); i++) {
      byte c = scan.normal(i);
      if (c < 0 || c == '\\' || (c == '*' && before == '/')) {
        return true;
      }
      before = c;
    }
    return false;
  }

  private void read() {
    byte quote = 0;
    int word = -1;
    for (int i = 0; i < scan.normalLength(); i++) {
      byte c = scan.normal(i);
      if (isOfWord(c)) {
        word = word < 0 ? i : word;
        continue;
      }
      if (word >= 0) {
        word(word, i, quote != 0);
        word = -1;
      }
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '`' || c == '"' || c == '\'')) {
        quote = c;
      }
      sign(c);
      most = Math.max(most, levels);
    }
    if (word >= 0) {
      word(word, scan.normalLength(), quote != 0);
    }
  }

  private static boolean isOfWord(byte c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c < 0;
  }

  private void word(int from, int to, boolean isQuoted) {
    levels++;
    most = Math.max(most, levels);
    mayBeTable = true;
    if (isUnclear || open >= REMEMBERED) {
      return;
    }
    if (!isQuoted && isBehindParenthesis(from) && is(SELECT, from, to)) {
      tables[open] = false;
    }
    for (String known : BEFORE_TABLES) {
      tables[open] |= is(known, from, to);
    }
  }

  private boolean isBehindParenthesis(int word) {
    int before = word - 1;
    while (before > 0 && scan.normal(before) == BLANK) {
      before--;
    }
    return before >= 0 && scan.normal(before) == '(';
  }

  private boolean is(String known, int from, int to) {
    boolean isSame = to - from == known.length();
    for (int i = 0; isSame && i < known.length(); i++) {
      isSame = (scan.normal(from + i) & ~0x20) == (known.charAt(i) & ~0x20);
    }
    return isSame;
  }

  private void sign(byte c) {
    if (c == '(') {
      open++;
      levels++;
      begin(levels);
      inherit();
    } else if (c == ')') {
      levels = beginning();
      open = Math.max(0, open - 1);
      mayBeTable = true;
    } else if (c == ',') {
      begin(mayBeTable && mayHaveTables() ? beginning() + 1 : beginning());
      levels = beginning();
      mayBeTable = false;
    } else if (c != BLANK) {
      levels++;
    }
  }

  private void inherit() {
    if (open < REMEMBERED) {
      tables[open] = isUnclear || tables[open - 1];
    }
  }

  private boolean mayHaveTables() {
    return open >= REMEMBERED || tables[open];
  }

  private void begin(int level) {
    if (open < REMEMBERED) {
      beginnings[open] = level;
    }
  }

  private int beginning() {
    return open < REMEMBERED ? beginnings[open] : levels;
  }
}
