package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import java.util.Set;

/**
 * Functions whose results MariaDB takes for shorter than they are: HOUR has two digits for it, ABS
 * of 100 too. A quotient or product of one has too few in front of the point, and the table that a
 * UNION of several nodes goes through clips it: 100/1 becomes 99.9999. A query that reads one node,
 * or a stage, has no such table.
 */
final class NarrowNumbers {

  /** Whatever they are given. */
  private static final Set<String> ALWAYS =
      Set.of("ASCII", "HOUR", "PERIOD_ADD", "TO_DAYS", "TO_SECONDS", "YEARWEEK");

  /** Where they are given a literal. */
  private static final Set<String> OF_LITERALS =
      Set.of("ABS", "CEIL", "CEILING", "FLOOR", "MAX", "MIN", "NULLIF", "ROUND", "TRUNCATE");

  private NarrowNumbers() {}

  /** Whether a value of these tokens may be described too short. */
  static boolean areIn(SqlTokens tokens, Span item) {
    TokenRange range = tokens.in(item);
    return range.has(token -> tokens.isOperator(token, "/") || isTimes(tokens, token))
        && range.has(token -> tokens.isWord(token, "DIV") || isCall(tokens, token));
  }

  /** Not the star of COUNT(*). */
  private static boolean isTimes(SqlTokens tokens, int token) {
    return tokens.isOperator(token, "*") && !tokens.isPunctuation(token - 1, '(');
  }

  private static boolean isCall(SqlTokens tokens, int token) {
    if (!tokens.isPunctuation(token + 1, '(')) {
      return false;
    }
    String name = tokens.word(token);
    return ALWAYS.contains(name)
        || (OF_LITERALS.contains(name) && isLiteral(tokens, token + 2))
        || (name.equals("ROUND") && isNegative(tokens, tokens.closing(token + 1)));
  }

  private static boolean isLiteral(SqlTokens tokens, int first) {
    int number = tokens.isOperator(first, "-") ? first + 1 : first;
    boolean literal =
        switch (tokens.kind(number)) {
          // One plan serves literals of all kinds.
          case NUMBER, STRING, BINARY, MARKER -> true;
          default -> false;
        };
    return literal
        && (tokens.isPunctuation(number + 1, ',') || tokens.isPunctuation(number + 1, ')'));
  }

  /** Whether it rounds in front of the point, which may add a digit there. */
  private static boolean isNegative(SqlTokens tokens, int close) {
    return tokens.isOperator(close - 2, "-") && tokens.isPunctuation(close - 3, ',');
  }
}
