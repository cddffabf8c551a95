package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import org.jspecify.annotations.Nullable;

/**
 * {@code USE database}, read.
 *
 * @param database without quotes
 */
public record UseStatement(String database) {

  /** Null if the statement is of another form: a syntax error. */
  public static @Nullable UseStatement parse(SourceText source) {
    var cursor = new TokenCursor(source);
    cursor.accept("USE");
    if (!cursor.isName()) {
      return null;
    }
    String name = cursor.takeName();
    return cursor.atEnd() ? new UseStatement(name) : null;
  }
}
