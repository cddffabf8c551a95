package io.anabranch.rules.function;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Set;

/** Whether a statement that is no query has one in it, as {@code SET @a = (SELECT 1)}. */
public final class Subqueries {

  private static final Set<String> FIRST = Set.of("SELECT", "WITH", "TABLE", "VALUES", "VALUE");

  private Subqueries() {}

  /**
   * @param end of the tokens that are looked at
   */
  public static boolean are(SqlTokens tokens, int end) {
    return tokens
        .between(1, end)
        .has(token -> FIRST.contains(tokens.word(token)) && isInside(tokens, token));
  }

  /**
   * Whether a query begins there: servers reserve SELECT for one wherever it stands, the others
   * also belong to statements ({@code LOCK TABLE}) unless a parenthesis, a comment that may run, or
   * another query is in front.
   */
  private static boolean isInside(SqlTokens tokens, int token) {
    int before = tokens.between(0, token).findLast(each -> !tokens.kind(each).isMark());
    if (tokens.isWord(token, "SELECT")) {
      return !tokens.isPunctuation(before, '.');
    }
    return tokens.isPunctuation(before, '(')
        || tokens.isAnyWord(before, "UNION", "EXCEPT", "INTERSECT", "ALL", "DISTINCT")
        || tokens.between(before + 1, token).hasKind(TokenKind.EXECUTABLE_START);
  }
}
