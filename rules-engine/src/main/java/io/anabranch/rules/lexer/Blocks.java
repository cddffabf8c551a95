package io.anabranch.rules.lexer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the body of a stored routine, trigger, event or one of MariaDB's blocks ends: a {@code ;}
 * inside of BEGIN, CASE, IF, LOOP, WHILE, REPEAT and FOR ends no statement of the packet. Told of
 * words only where a body is to be expected. Reused; owned by a {@link SqlScanner}.
 */
final class Blocks {

  private enum Block {
    BEGIN,
    CASE,
    /** May be the function: a statement once THEN has come. */
    PERHAPS_IF,
    IF,
    LOOP,
    WHILE,
    REPEAT,
    FOR
  }

  private static final int FEW = 8;

  private byte[] sql = {};
  private int limit;
  private Block[] open = new Block[FEW];
  private int[] depths = new int[FEW];
  private int count;
  private boolean behindEnd;

  void reset(byte[] text, int end) {
    sql = text;
    limit = end;
    count = 0;
    behindEnd = false;
  }

  /** Keeps nothing of the text. */
  void letGo() {
    reset(new byte[0], 0);
    if (open.length > FEW) {
      open = new Block[FEW];
      depths = new int[FEW];
    }
  }

  /**
   * A word outside of quotes, and none that a point is in front of.
   *
   * @param lastFrom the word before, if nothing else stands between; an empty one otherwise
   * @param beforeFrom the one before that
   * @param depth open parentheses
   */
  void word(int from, int to, int lastFrom, int lastTo, int beforeFrom, int beforeTo, int depth) {
    if (behindEnd) {
      behindEnd = false;
      return;
    }
    switch (to - from) {
      case 2 -> {
        if (is(from, to, "IF") && !makes(lastFrom, lastTo)) {
          push(Block.PERHAPS_IF, depth);
        } else if (is(from, to, "IN") && is(beforeFrom, beforeTo, "FOR")) {
          push(Block.FOR, depth);
        }
      }
      case 3 -> {
        if (is(from, to, "END")) {
          end(to);
        }
      }
      case 4 -> {
        if (is(from, to, "CASE")) {
          push(Block.CASE, depth);
        } else if (is(from, to, "LOOP")) {
          push(Block.LOOP, depth);
        } else if (is(from, to, "THEN") && count > 0 && open[count - 1] == Block.PERHAPS_IF) {
          open[count - 1] = Block.IF;
        }
      }
      case 5 -> {
        if (is(from, to, "BEGIN")) {
          push(Block.BEGIN, depth);
        } else if (is(from, to, "WHILE")) {
          push(Block.WHILE, depth);
        }
      }
      case 6 -> {
        if (is(from, to, "REPEAT") && behindBlanks(to, '(') < 0) {
          push(Block.REPEAT, depth);
        }
      }
      default -> {}
    }
  }

  /** {@code CREATE PROCEDURE IF NOT EXISTS}. */
  private boolean makes(int from, int to) {
    return is(from, to, "PROCEDURE")
        || is(from, to, "FUNCTION")
        || is(from, to, "TRIGGER")
        || is(from, to, "EVENT");
  }

  private boolean is(int from, int to, String word) {
    return StatementWords.matches(sql, from, to, word);
  }

  private void push(Block block, int depth) {
    if (count == open.length) {
      open = Arrays.copyOf(open, count * 2);
      depths = Arrays.copyOf(depths, count * 2);
    }
    open[count] = block;
    depths[count++] = depth;
  }

  /** The function IF has commas, its statement has none in such a place. */
  void comma(int depth) {
    if (count > 0 && open[count - 1] == Block.PERHAPS_IF && depths[count - 1] + 1 == depth) {
      count--;
    }
  }

  private void end(int to) {
    int from = behindBlanks(to, 0);
    int last = from;
    while (last < limit && ByteClass.inName(sql[last])) {
      last++;
    }
    Block named = from > to ? named(from, last) : null;
    dropFunctions();
    if (named == null) {
      count = Math.max(0, count - 1);
      return;
    }
    behindEnd = true;
    for (int i = count - 1; i >= 0; i--) {
      if (open[i] == named) {
        count = i;
        return;
      }
    }
  }

  private @Nullable Block named(int from, int to) {
    if (is(from, to, "IF")) {
      return Block.IF;
    }
    if (is(from, to, "CASE")) {
      return Block.CASE;
    }
    if (is(from, to, "LOOP")) {
      return Block.LOOP;
    }
    if (is(from, to, "WHILE")) {
      return Block.WHILE;
    }
    if (is(from, to, "REPEAT")) {
      return Block.REPEAT;
    }
    return is(from, to, "FOR") ? Block.FOR : null;
  }

  private void dropFunctions() {
    while (count > 0 && open[count - 1] == Block.PERHAPS_IF) {
      count--;
    }
  }

  /** Whether a {@code ;} here ends the statement. */
  boolean areClosed() {
    dropFunctions();
    return count == 0;
  }

  /**
   * Where the first byte behind blanks is.
   *
   * @param wanted what it must be, 0 for anything
   * @return -1 if it is something else
   */
  private int behindBlanks(int from, int wanted) {
    int p = from;
    while (p < limit && ByteClass.of(sql[p]) == ByteClass.BLANK) {
      p++;
    }
    return wanted == 0 || (p < limit && sql[p] == wanted) ? p : -1;
  }
}
