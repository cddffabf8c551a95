package io.anabranch.frontend.command;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.planner.BuiltInFunctions;

/** Tells calls of functions that are surely the server's own from those that may be stored ones. */
final class FunctionCalls {

  private FunctionCalls() {}

  /** Whether a function is called that may be a stored one. */
  static boolean areStored(SqlTokens tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isPunctuation(i, '(') && tokens.isName(i - 1)) {
        boolean isOwn =
            tokens.kind(i - 1) == TokenKind.WORD
                && !tokens.isPunctuation(i - 2, '.')
                && BuiltInFunctions.include(tokens.text(i - 1));
        if (!isOwn) {
          return true;
        }
      }
    }
    return false;
  }
}
