package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.SelectLayout.Span;
import java.util.Set;

/**
 * Operands whose type only the execution tells: user variables and parameters. What they are
 * calculated with has digits that no description knows.
 */
record OpenOperands(SqlTokens tokens) {

  private static final Set<String> COMPARISONS =
      Set.of("=", "<=>", "<>", "!=", "<", ">", "<=", ">=");

  /** Words behind which an operand is compared, or true or false. */
  private static final Set<String> TESTS =
      Set.of("AND", "BETWEEN", "LIKE", "NOT", "OR", "REGEXP", "RLIKE", "WHEN", "XOR");

  /** Whether an operand there decides the type of the whole. */
  boolean areIn(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (isOpen(token) && !isTested(token) && !isCast(token)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOpen(int token) {
    return switch (tokens.kind(token)) {
      case MARKER -> true;
      case VARIABLE -> !tokens.text(token).startsWith("@@");
      default -> false;
    };
  }

  private boolean isTested(int token) {
    int before = token - 1;
    boolean isCompared =
        tokens.kind(before) == TokenKind.OPERATOR && COMPARISONS.contains(tokens.text(before));
    return isCompared || isWordOf(before, TESTS) || isInList(token);
  }

  private boolean isWordOf(int token, Set<String> words) {
    return words.stream().anyMatch(word -> tokens.isWord(token, word));
  }

  /** {@code IN (1, ?)}. */
  private boolean isInList(int token) {
    int open = token - 1;
    while (open >= 0 && tokens.depth(open) >= tokens.depth(token)) {
      open--;
    }
    return tokens.isWord(open - 1, "IN");
  }

  /** {@code CAST(? AS DECIMAL(20, 4))}. */
  private boolean isCast(int token) {
    return tokens.isPunctuation(token - 1, '(')
        && tokens.isWord(token - 2, "CAST")
        && tokens.isWord(token + 1, "AS");
  }
}
