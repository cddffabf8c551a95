package io.anabranch.rules.function;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.List;

/** Whether a statement that is no query has one in it, as {@code SET @a = (SELECT 1)}. */
public final class Subqueries {

  private static final List<String> FIRST = List.of("SELECT", "WITH", "TABLE", "VALUES", "VALUE");

  private Subqueries() {}

  /**
   * @param end of the tokens that are looked at
   */
  public static boolean are(SqlTokens tokens, int end) {
    for (int token = 1; token < end; token++) {
      boolean isInside =
          tokens.isPunctuation(token - 1, '(')
              || tokens.kind(token - 1) == TokenKind.EXECUTABLE_START;
      int first = token;
      if (isInside && FIRST.stream().anyMatch(word -> tokens.isWord(first, word))) {
        return true;
      }
    }
    return false;
  }
}
