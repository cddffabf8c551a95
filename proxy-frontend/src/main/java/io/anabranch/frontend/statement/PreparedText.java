package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * PREPARE, EXECUTE and DEALLOCATE PREPARE, read.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/sql-prepared-statements.html">Prepared
 * Statements</a>.
 */
public sealed interface PreparedText {

  /**
   * @param name lower case
   * @param literal the statement as a string literal, quotes included; null if it is in a variable
   * @param variable name of the user variable, lower case; null if it is a literal
   */
  record Prepare(String name, @Nullable String literal, @Nullable String variable)
      implements PreparedText {}

  /**
   * @param name lower case
   * @param values of USING; literals are MariaDB's alone
   */
  record Execute(String name, List<Value> values) implements PreparedText {
    public Execute {
      values = List.copyOf(values);
    }

    /** Whether one is a literal. */
    public boolean hasLiterals() {
      return values.stream().anyMatch(value -> value.literal() != null);
    }
  }

  /**
   * MariaDB's EXECUTE IMMEDIATE.
   *
   * @param literal the statement as a string literal, quotes included; null if it is in a variable
   * @param variable name of the user variable, lower case; null if it is a literal
   * @param values SQL text of the values of USING: names of user variables, or literals
   */
  record Immediate(@Nullable String literal, @Nullable String variable, List<Value> values)
      implements PreparedText {
    public Immediate {
      values = List.copyOf(values);
    }
  }

  /** What a marker stands for: the one that is not null. */
  record Value(@Nullable String variable, @Nullable String literal) {}

  /**
   * @param name lower case
   */
  record Deallocate(String name) implements PreparedText {}

  /** Null if the statement is of another form: expressions, a syntax error. */
  static @Nullable PreparedText parse(SourceText source) {
    var cursor = new TokenCursor(source);
    if (cursor.accept("PREPARE")) {
      return prepare(cursor);
    }
    if (cursor.accept("EXECUTE", "IMMEDIATE")) {
      return immediate(cursor);
    }
    if (cursor.accept("EXECUTE")) {
      return execute(cursor);
    }
    boolean drops = cursor.accept("DEALLOCATE", "PREPARE") || cursor.accept("DROP", "PREPARE");
    if (!drops || !cursor.isName()) {
      return null;
    }
    String name = name(cursor);
    return cursor.atEnd() ? new Deallocate(name) : null;
  }

  private static @Nullable PreparedText prepare(TokenCursor cursor) {
    if (!cursor.isName()) {
      return null;
    }
    String name = name(cursor);
    if (!cursor.accept("FROM")) {
      return null;
    }
    String literal = null;
    String variable = null;
    if (cursor.isKind(TokenKind.STRING)) {
      literal = cursor.take();
    } else {
      variable = userVariable(cursor);
    }
    boolean complete = cursor.atEnd() && (literal != null || variable != null);
    return complete ? new Prepare(name, literal, variable) : null;
  }

  private static @Nullable PreparedText immediate(TokenCursor cursor) {
    String literal = cursor.isKind(TokenKind.STRING) ? cursor.take() : null;
    String variable = literal == null ? userVariable(cursor) : null;
    List<Value> values = values(cursor);
    boolean hasText = literal != null || variable != null;
    return values != null && hasText && cursor.atEnd()
        ? new Immediate(literal, variable, values)
        : null;
  }

  /** Null where one is more than a variable or a literal. */
  private static @Nullable List<Value> values(TokenCursor cursor) {
    var values = new ArrayList<Value>();
    if (cursor.accept("USING")) {
      do {
        Value value = value(cursor);
        if (value == null) {
          return null;
        }
        values.add(value);
      } while (cursor.acceptPunctuation(','));
    }
    return values;
  }

  private static @Nullable Value value(TokenCursor cursor) {
    int start = cursor.position();
    if (cursor.acceptOperator("-") && cursor.isKind(TokenKind.NUMBER)) {
      cursor.take();
      return new Value(null, cursor.textSince(start));
    }
    cursor.moveTo(start);
    boolean isLiteral =
        cursor.isKind(TokenKind.STRING)
            || cursor.isKind(TokenKind.NUMBER)
            || cursor.isKind(TokenKind.BINARY);
    if (isLiteral) {
      return new Value(null, cursor.take());
    }
    if (cursor.accept("NULL")) {
      return new Value(null, "NULL");
    }
    String variable = userVariable(cursor);
    return variable == null ? null : new Value(variable, null);
  }

  private static @Nullable PreparedText execute(TokenCursor cursor) {
    if (!cursor.isName()) {
      return null;
    }
    String name = name(cursor);
    List<Value> values = values(cursor);
    return cursor.atEnd() && values != null ? new Execute(name, values) : null;
  }

  private static @Nullable String userVariable(TokenCursor cursor) {
    if (!cursor.isKind(TokenKind.VARIABLE)) {
      return null;
    }
    VariableName variable = VariableName.of(cursor.take(), cursor.mode());
    return variable.user() ? variable.name() : null;
  }

  private static String name(TokenCursor cursor) {
    return cursor.takeName().toLowerCase(Locale.ROOT);
  }
}
