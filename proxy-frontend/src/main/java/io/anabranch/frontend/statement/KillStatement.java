package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import org.jspecify.annotations.Nullable;

/**
 * {@code KILL [HARD|SOFT] [CONNECTION|QUERY] id}, read.
 *
 * @param queryOnly the connection stays
 * @param id of the proxy's connection
 */
public record KillStatement(boolean queryOnly, long id) {

  /** Null if the statement is of another form (KILL USER, an expression as id). */
  public static @Nullable KillStatement parse(SourceText source) {
    var cursor = new TokenCursor(source);
    cursor.accept("KILL");
    if (!cursor.accept("HARD")) {
      cursor.accept("SOFT");
    }
    boolean query = cursor.accept("QUERY");
    if (!query) {
      cursor.accept("CONNECTION");
    }
    if (!cursor.isKind(TokenKind.NUMBER)) {
      return null;
    }
    String digits = cursor.take();
    if (!cursor.atEnd() || digits.length() > 18 || !digits.chars().allMatch(Character::isDigit)) {
      return null;
    }
    return new KillStatement(query, Long.parseLong(digits));
  }
}
