package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Set;

/**
 * Quotients and averages have more digits than a result shows of them, and a variable that is given
 * one keeps them all.
 */
final class HiddenDigits {

  /** What gives a number of as many digits as it says, or none. */
  private static final Set<String> ROUNDING =
      Set.of("ROUND", "TRUNCATE", "CAST", "CONVERT", "FORMAT", "FLOOR", "CEIL", "CEILING");

  /** Behind these nothing is selected. */
  private static final Set<String> BEHIND = Set.of("WHERE", "GROUP", "HAVING", "ORDER");

  private HiddenDigits() {}

  /** Whether some value of the query may have such digits. */
  static boolean mayBeIn(SqlTokens tokens) {
    var rounded = new ArrayDeque<Boolean>();
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.depth(token) == 0 && isWordOf(BEHIND, tokens, token)) {
        return false;
      }
      if (tokens.isPunctuation(token, '(')) {
        boolean isInside = Boolean.TRUE.equals(rounded.peek());
        rounded.push(isInside || isWordOf(ROUNDING, tokens, token - 1));
      } else if (tokens.isPunctuation(token, ')')) {
        rounded.poll();
      } else if (isQuotient(tokens, token) && !Boolean.TRUE.equals(rounded.peek())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isQuotient(SqlTokens tokens, int token) {
    return tokens.isOperator(token, "/")
        || (tokens.isWord(token, "AVG") && tokens.isPunctuation(token + 1, '('));
  }

  private static boolean isWordOf(Set<String> words, SqlTokens tokens, int token) {
    return token >= 0
        && tokens.isName(token)
        && !tokens.isPunctuation(token - 1, '.')
        && words.contains(tokens.text(token).toUpperCase(Locale.ROOT));
  }
}
