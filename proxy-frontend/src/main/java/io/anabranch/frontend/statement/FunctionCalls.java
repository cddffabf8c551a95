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
    int found = tokens.all().findWord("SELECT");
    return found >= 0 && areStored(tokens, found);
  }

  private static boolean areStored(SqlTokens tokens, int from) {
    return tokens.from(from).calls().stream()
        .anyMatch(
            call ->
                tokens.kind(call) != TokenKind.WORD
                    || tokens.isPunctuation(call - 1, '.')
                    || !SqlFunctions.include(tokens.text(call)));
  }
}
