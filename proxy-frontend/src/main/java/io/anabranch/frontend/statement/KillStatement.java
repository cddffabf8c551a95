package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import org.jspecify.annotations.Nullable;

/**
 * {@code KILL [HARD|SOFT] [CONNECTION|QUERY [ID]] id} and {@code KILL … USER name}, read.
 *
 * <p>See <a href="https://mariadb.com/kb/en/kill/">KILL</a>.
 *
 * @param queryOnly the connection stays
 * @param target whose
 */
public record KillStatement(boolean queryOnly, Target target) {

  /** What is to end. */
  public sealed interface Target {

    /**
     * @param id of the proxy's connection
     */
    record Connection(long id) implements Target {}

    /**
     * @param id of a statement, as MariaDB counts them
     */
    record Query(long id) implements Target {}

    /**
     * Whatever the user has.
     *
     * @param host null where not said
     */
    record User(String name, @Nullable String host) implements Target {}
  }

  /** Null if the statement is of another form (an expression as id). */
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
    Target target;
    if (cursor.accept("USER")) {
      target = user(cursor);
    } else {
      boolean ofQuery = query && cursor.accept("ID");
      long id = number(cursor);
      Target numbered = ofQuery ? new Target.Query(id) : new Target.Connection(id);
      target = id < 0 ? null : numbered;
    }
    return target == null || !cursor.atEnd() ? null : new KillStatement(query, target);
  }

  private static Target.@Nullable User user(TokenCursor cursor) {
    if (!isPart(cursor)) {
      return null;
    }
    String name = cursor.takeNameOrString();
    if (!cursor.isKind(TokenKind.OPERATOR)) {
      return new Target.User(name, null);
    }
    return cursor.take().equals("@") && isPart(cursor)
        ? new Target.User(name, cursor.takeNameOrString())
        : null;
  }

  private static boolean isPart(TokenCursor cursor) {
    return cursor.isName() || cursor.isKind(TokenKind.STRING);
  }

  /** -1 if it is none. */
  private static long number(TokenCursor cursor) {
    String digits = cursor.isKind(TokenKind.NUMBER) ? cursor.take() : "";
    boolean isId =
        !digits.isEmpty() && digits.length() <= 18 && digits.chars().allMatch(Character::isDigit);
    return isId ? Long.parseLong(digits) : -1;
  }
}
