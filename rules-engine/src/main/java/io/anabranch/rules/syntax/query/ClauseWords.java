package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Arrays;
import java.util.Set;

/**
 * In which clause each token of a statement stands, by the nearest word in front of it that begins
 * one, in its own parentheses or around them. Immutable; made in one pass.
 */
public final class ClauseWords {

  private static final Set<String> WORDS =
      Set.of("BY", "FROM", "HAVING", "LIMIT", "ON", "SELECT", "SET", "VALUES", "WHERE");

  private static final int NONE = -1;

  private final SqlTokens tokens;
  private final int[] nearest;

  public ClauseWords(SqlTokens tokens) {
    this.tokens = tokens;
    this.nearest = new int[tokens.size()];
    Arrays.fill(nearest, NONE);
    int word = NONE;
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isPunctuation(token, ')')) {
        // told by the one that it closes
        word = nearest[token];
      }
      nearest[token] = word;
      if (tokens.isPunctuation(token, '(') && tokens.closing(token) < tokens.size()) {
        nearest[tokens.closing(token)] = word;
      }
      if (begins(token)) {
        word = token;
      }
    }
  }

  private boolean begins(int token) {
    return WORDS.contains(tokens.word(token))
        && !tokens.isPunctuation(token - 1, '.')
        && !isOfFunction(token);
  }

  /** {@code TRIM('a' FROM b)}, {@code EXTRACT(DAY FROM d)}. */
  private boolean isOfFunction(int token) {
    return tokens.isWord(token, "FROM") && nearest[token] < tokens.around(token);
  }

  /**
   * Whether the token is a part of ORDER BY, GROUP BY or PARTITION BY, in which a whole number that
   * stands alone is the position of a column, and a variable of the same value is not.
   */
  public boolean isKey(int token) {
    return tokens.isWord(nearest[token], "BY");
  }

  /**
   * Whether the token is a part of a select list, whose columns have names and types of its own.
   */
  public boolean isItem(int token) {
    return tokens.isWord(nearest[token], "SELECT");
  }

  /** Where the word stands that begins the token's clause; -1 if none does. */
  public int nearest(int token) {
    return nearest[token];
  }

  /**
   * A number that means itself where a position may stand.
   *
   * @param literal any
   */
  public static String keyOf(String literal) {
    boolean isWhole = !literal.isEmpty() && literal.chars().skip(1).allMatch(ClauseWords::isDigit);
    boolean begins = isWhole && (literal.charAt(0) == '-' || isDigit(literal.charAt(0)));
    return begins ? "(" + literal + "+0)" : literal;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
