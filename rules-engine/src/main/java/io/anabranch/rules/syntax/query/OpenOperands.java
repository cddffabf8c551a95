package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operands whose type only the execution tells: user variables and parameters. What they are
 * calculated with has digits that no description knows. Used by one thread.
 */
public final class OpenOperands {

  /** Words behind which an operand is compared, or true or false. */
  private static final Set<String> TESTS =
      Set.of("AND", "BETWEEN", "LIKE", "NOT", "OR", "REGEXP", "RLIKE", "WHEN", "XOR");

  private final SqlTokens tokens;

  /** Whether one decides the type of an inner column; null until that is asked. */
  private @Nullable Boolean inner;

  public OpenOperands(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /** Whether an operand there decides the type of the whole. */
  public boolean areIn(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (isAt(token)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one decides the type of a column of a derived table, of a CTE or of a subquery. */
  public boolean areInInnerLists() {
    if (inner == null) {
      inner = hasInner();
    }
    return inner;
  }

  private boolean hasInner() {
    SelectSpans main = SelectSpans.main(tokens);
    int outermost = main == null ? -1 : main.select();
    var clauses = new ClauseWords(tokens);
    return tokens
        .all()
        .has(token -> isAt(token) && clauses.isItem(token) && clauses.nearest(token) != outermost);
  }

  /** Whether the token is one that decides the type of what it is a part of. */
  public boolean isAt(int token) {
    return isOpen(token) && !isTested(token) && !isCast(token);
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
    return tokens.isComparison(before) || isWordOf(before, TESTS) || isInList(token);
  }

  private boolean isWordOf(int token, Set<String> words) {
    return words.stream().anyMatch(word -> tokens.isWord(token, word));
  }

  /** {@code IN (1, ?)}. */
  private boolean isInList(int token) {
    return tokens.isWord(tokens.around(token) - 1, "IN");
  }

  /** {@code CAST(? AS DECIMAL(20, 4))}. */
  private boolean isCast(int token) {
    return tokens.isPunctuation(token - 1, '(')
        && tokens.isWord(token - 2, "CAST")
        && tokens.isWord(token + 1, "AS");
  }
}
