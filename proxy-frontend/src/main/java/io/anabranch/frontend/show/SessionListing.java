package io.anabranch.frontend.show;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code SHOW [SESSION] VARIABLES} and {@code SHOW [SESSION] STATUS} of what is the session's own
 * and not its connection's.
 */
final class SessionListing {

  private SessionListing() {}

  /** Whether the statement asks for one of them, and has been answered. */
  static boolean answer(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    boolean isGlobal = tokens.isWord(1, "GLOBAL");
    if (isGlobal) {
      return tokens.isWord(2, "VARIABLES") && ShownVariables.answer(source, 3, true, answer);
    }
    boolean isScoped = tokens.isWord(1, "SESSION") || tokens.isWord(1, "LOCAL");
    int kind = isScoped ? 2 : 1;
    String name = name(tokens, kind + 1);
    Session session = answer.session();
    if (tokens.isWord(kind, "VARIABLES")) {
      if (name == null || !OwnVariables.areMeant(name)) {
        return ShownVariables.answer(source, kind + 1, false, answer);
      }
      answer.rows(
          LocalColumns.ofListing("SESSION_VARIABLES", session.deployment().isMariaDb()),
          OwnVariables.shown(session, name));
      return true;
    }
    return tokens.isWord(kind, "STATUS") && ShownStatus.answer(source, kind + 1, answer);
  }

  /** The one name that is asked for, in lower case; null if it is not one. */
  private static @Nullable String name(SqlTokens tokens, int at) {
    boolean isLike = tokens.isWord(at, "LIKE");
    boolean isEqual =
        tokens.isWord(at, "WHERE")
            && tokens.isWord(at + 1, "VARIABLE_NAME")
            && tokens.isOperator(at + 2, "=");
    int literal = isLike ? at + 1 : at + 3;
    if ((!isLike && !isEqual)
        || tokens.size() != literal + 1
        || tokens.kind(literal) != TokenKind.STRING) {
      return null;
    }
    return OwnVariables.unquoted(tokens.text(literal)).toLowerCase(Locale.ROOT);
  }
}
