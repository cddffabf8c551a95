package io.anabranch.frontend.statement;

import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;

/** Tells calls of functions that are surely the server's own from those that may be stored ones. */
public final class FunctionCalls {

  private FunctionCalls() {}

  /** Whether a function is called that may be a stored one. */
  public static boolean areStored(SqlTokens tokens) {
    return areStored(tokens, 0);
  }

  /** The same of the query of CREATE TABLE: in front of it are columns. */
  public static boolean areStoredBehindSelect(SqlTokens tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isWord(i, "SELECT")) {
        return areStored(tokens, i);
      }
    }
    return false;
  }

  private static boolean areStored(SqlTokens tokens, int from) {
    for (int i = from + 1; i < tokens.size(); i++) {
      if (tokens.isPunctuation(i, '(') && tokens.isName(i - 1)) {
        boolean isOwn =
            tokens.kind(i - 1) == TokenKind.WORD
                && !tokens.isPunctuation(i - 2, '.')
                && SqlFunctions.include(tokens.text(i - 1));
        if (!isOwn) {
          return true;
        }
      }
    }
    return false;
  }
}
