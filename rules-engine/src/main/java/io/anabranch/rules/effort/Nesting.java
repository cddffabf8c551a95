package io.anabranch.rules.effort;

import io.anabranch.rules.lexer.Scan;

/**
 * How deep the tree of a statement can be: found without reading its grammar, never too low. Each
 * word and each sign may be a level below the one in front of it. A comma begins anew, one level
 * deeper where it may stand between tables; behind a parenthesis goes on what was in front of it.
 */
public final class Nesting {

  /** Parentheses within each other whose beginnings are remembered. */
  private static final int REMEMBERED = 1024;

  /** By open parentheses, the level at which what they enclose begins. */
  private final int[] beginnings = new int[REMEMBERED];

  private int open;
  private int levels;
  private int most;

  /** Whether there was more than a literal since the last comma. */
  private boolean mayBeTable;

  private Nesting() {}

  /** Levels of the statement's tree at most. */
  public static int of(Scan scan) {
    var nesting = new Nesting();
    int done = scan.start();
    for (int slot = 0; slot < scan.slotCount(); slot++) {
      nesting.read(scan.sql(), done, scan.slotStart(slot));
      nesting.levels++;
      done = scan.slotEnd(slot);
    }
    nesting.read(scan.sql(), done, scan.end());
    return nesting.most;
  }

  private void read(byte[] sql, int from, int to) {
    boolean inWord = false;
    for (int i = from; i < to; i++) {
      byte c = sql[i];
      boolean word =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '_'
              || c < 0;
      if (word) {
        levels += inWord ? 0 : 1;
        mayBeTable = true;
      } else if (c == '(') {
        open++;
        levels++;
        begin(levels);
      } else if (c == ')') {
        levels = beginning();
        open = Math.max(0, open - 1);
        mayBeTable = true;
      } else if (c == ',') {
        begin(mayBeTable ? beginning() + 1 : beginning());
        levels = beginning();
        mayBeTable = false;
      } else if (c > ' ') {
        levels++;
      }
      inWord = word;
      most = Math.max(most, levels);
    }
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
