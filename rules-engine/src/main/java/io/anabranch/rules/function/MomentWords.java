package io.anabranch.rules.function;

/**
 * Whether a statement's bytes may tell the time: whether one of the functions that do is among its
 * words, literals and comments included. Allocates nothing.
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
      if (isOne(sql, from, at)) {
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
