package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A statement of which what stands in some parentheses is left out: {@code COUNT(a / b) / c} has
 * one quotient outside of aggregates.
 *
 * @param isClosed whether what stands behind this opening parenthesis is left out
 */
public record OuterTokens(SqlTokens tokens, IntPredicate isClosed) {

  /** The tokens of a span that are not left out, in their order. */
  public List<Integer> in(Span span) {
    var found = new ArrayList<Integer>();
    for (int token = span.first(); token < span.behind(); token++) {
      found.add(token);
      if (tokens.isPunctuation(token, '(') && isClosed.test(token)) {
        token = tokens.closing(token);
      }
    }
    return found;
  }

  /** Whether one of these tokens is so. */
  public boolean has(Span span, IntPredicate is) {
    return in(span).stream().anyMatch(is::test);
  }
}
