package io.anabranch.frontend.rewrite;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;

/**
 * IS_USED_LOCK('name') tells the number of the connection that has the lock. Where that is the
 * session's own, it is to be the number that CONNECTION_ID() tells the client.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/locking-functions.html">Functions</a>
 */
final class LockQuestion {

  private LockQuestion() {}

  /** The token behind the call at {@code token}, of a name that can be said twice; 0 for others. */
  static int end(SqlTokens tokens, int token) {
    if (!tokens.isWord(token, "IS_USED_LOCK") || !tokens.isPunctuation(token + 1, '(')) {
      return 0;
    }
    int close = tokens.closing(token + 1);
    boolean isPlain =
        tokens
            .between(token + 2, close)
            .consistsOf(
                i ->
                    tokens.kind(i) == TokenKind.STRING
                        || (tokens.isName(i) && !tokens.isPunctuation(i + 1, '('))
                        || tokens.isPunctuation(i, '.'));
    return isPlain && close < tokens.size() ? close + 1 : 0;
  }

  /**
   * @param own the session's number
   */
  static String answered(String call, int own) {
    return "IF(" + call + " <=> CONNECTION_ID(), " + own + ", " + call + ")";
  }
}
