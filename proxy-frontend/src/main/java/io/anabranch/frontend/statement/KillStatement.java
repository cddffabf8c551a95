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

    /** {@code CONNECTION_ID()}: who says it. */
    record Own() implements Target {}

    /**
     * A user variable's value.
     *
     * @param name lower case
     */
    record Variable(String name) implements Target {}

    /** An expression that only a database can compute. */
    record Computed() implements Target {}

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

  /** Null if the statement is of no known form. */
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
      target = query && cursor.accept("ID") ? ofQuery(cursor) : ofConnection(cursor);
    }
    return target == null || !cursor.atEnd() ? null : new KillStatement(query, target);
  }

  private static Target.@Nullable Query ofQuery(TokenCursor cursor) {
    long id = number(cursor);
    return id < 0 ? null : new Target.Query(id);
  }

  private static @Nullable Target ofConnection(TokenCursor cursor) {
    if (cursor.atEnd()) {
      return null;
    }
    int start = cursor.position();
    Target target = alone(cursor);
    if (target != null && cursor.atEnd()) {
      return target;
    }
    cursor.moveTo(start);
    return isComputed(cursor) ? new Target.Computed() : null;
  }

  /** Whether all that follows may be one expression of several parts. */
  private static boolean isComputed(TokenCursor cursor) {
    int start = cursor.position();
    boolean starts =
        cursor.isKind(TokenKind.VARIABLE)
            || cursor.isKind(TokenKind.OPERATOR)
            || cursor.acceptPunctuation('(');
    if (!starts) {
      cursor.take();
      starts = cursor.isKind(TokenKind.OPERATOR) || cursor.acceptPunctuation('(');
    }
    if (starts) {
      cursor.moveTo(start);
      cursor.takeExpression("");
    }
    return starts;
  }

  /** What the expression begins with, if it may be all of it. */
  private static @Nullable Target alone(TokenCursor cursor) {
    if (cursor.accept("CONNECTION_ID")) {
      return cursor.acceptPunctuation('(') && cursor.acceptPunctuation(')')
          ? new Target.Own()
          : null;
    }
    if (cursor.isKind(TokenKind.VARIABLE)) {
      VariableName variable = VariableName.of(cursor.take(), cursor.mode());
      return variable.user() ? new Target.Variable(variable.name()) : null;
    }
    long id = number(cursor);
    return id < 0 ? null : new Target.Connection(id);
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
