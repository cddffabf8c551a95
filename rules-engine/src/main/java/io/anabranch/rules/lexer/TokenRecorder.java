package io.anabranch.rules.lexer;

import java.util.Arrays;
import java.util.BitSet;

/** Collects the tokens of one pass; single operator bytes that belong together become one token. */
final class TokenRecorder {

  private static final String[] LONG_OPERATORS = {
    "<=>", "<=", ">=", "<>", "!=", ":=", "||", "&&", "<<", ">>", "->", "->>"
  };

  TokenKind[] kinds;
  int[] starts;
  int[] ends;
  int[] slots;
  int count;

  /** Tokens in front of which stands something of {@link Scan#spacing}. */
  final BitSet spaced = new BitSet();

  /**
   * No tokens yet.
   *
   * @param room for how many; more are taken as well
   */
  TokenRecorder(int room) {
    int length = Math.max(1, room);
    kinds = new TokenKind[length];
    starts = new int[length];
    ends = new int[length];
    slots = new int[length];
  }

  void add(TokenKind kind, int from, int to, int slot, byte[] sql) {
    if (kind == TokenKind.OPERATOR && joins(from, to, sql)) {
      ends[count - 1] = to;
      return;
    }
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, count * 2);
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
      slots = Arrays.copyOf(slots, count * 2);
    }
    kinds[count] = kind;
    starts[count] = from;
    ends[count] = to;
    slots[count] = slot;
    count++;
  }

  /** What stands in front of the next token is told apart. */
  void space() {
    spaced.set(count);
  }

  private boolean joins(int from, int to, byte[] sql) {
    if (count == 0 || kinds[count - 1] != TokenKind.OPERATOR || ends[count - 1] != from) {
      return false;
    }
    for (String operator : LONG_OPERATORS) {
      if (StatementWords.matches(sql, starts[count - 1], to, operator)) {
        return true;
      }
    }
    return false;
  }
}
