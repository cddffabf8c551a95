package io.anabranch.rules.function;

import java.nio.charset.StandardCharsets;

/**
 * Whether a statement's bytes may tell the time: whether one of the functions that do is among its
 * words, literals and comments included, or one that no server brings along, which may do so
 * itself. Allocates for words in front of a parenthesis alone.
 */
public final class MomentWords {

  private static final byte[][] WORDS = SqlFunctions.having(Trait.MOMENT);

  private MomentWords() {}

  public static boolean areIn(byte[] sql) {
    int at = 0;
    while (at < sql.length) {
      if (!isOfWord(sql[at])) {
        at++;
        continue;
      }
      int from = at;
      while (at < sql.length && isOfWord(sql[at])) {
        at++;
      }
      if (isOne(sql, from, at) || mayBeStored(sql, from, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfWord(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
  }

  private static boolean isOne(byte[] sql, int from, int to) {
    for (byte[] word : WORDS) {
      if (word.length == to - from && matches(sql, from, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayBeStored(byte[] sql, int from, int to) {
    int at = to < sql.length && sql[to] == '`' ? to + 1 : to;
    while (at < sql.length && sql[at] <= ' ' && sql[at] > 0) {
      at++;
    }
    return at < sql.length
        && sql[at] == '('
        && !SqlFunctions.include(new String(sql, from, to - from, StandardCharsets.US_ASCII));
  }

  private static boolean matches(byte[] sql, int from, byte[] word) {
    for (int i = 0; i < word.length; i++) {
      byte b = sql[from + i];
      if ((b >= 'a' && b <= 'z' ? b - 32 : b) != word[i]) {
        return false;
      }
    }
    return true;
  }
}
