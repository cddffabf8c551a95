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
      int before = token - 1;
      boolean isInside = false;
      while (before >= 0 && isComment(tokens.kind(before))) {
        isInside |= tokens.kind(before) == TokenKind.EXECUTABLE_START;
        before--;
      }
      isInside |= tokens.isPunctuation(before, '(');
      int first = token;
      if (isInside && FIRST.stream().anyMatch(word -> tokens.isWord(first, word))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isComment(TokenKind kind) {
    return kind == TokenKind.OPTIMIZER_HINT
        || kind == TokenKind.EXECUTABLE_START
        || kind == TokenKind.EXECUTABLE_END;
  }
}
