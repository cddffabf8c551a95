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
   * @param variables names of the user variables of USING, lower case
   */
  record Execute(String name, List<String> variables) implements PreparedText {
    public Execute {
      variables = List.copyOf(variables);
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
    boolean complete = cursor.atEnd() && (literal != null || variable != null);
    return complete ? new Immediate(literal, variable, values) : null;
  }

  private static @Nullable Value value(TokenCursor cursor) {
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
    var variables = new ArrayList<String>();
    if (cursor.accept("USING")) {
      do {
        String variable = userVariable(cursor);
        if (variable == null) {
          return null;
        }
        variables.add(variable);
      } while (cursor.acceptPunctuation(','));
    }
    return cursor.atEnd() ? new Execute(name, variables) : null;
  }

  private static @Nullable String userVariable(TokenCursor cursor) {
    if (!cursor.isKind(TokenKind.VARIABLE)) {
      return null;
    }
    VariableName variable = VariableName.of(cursor.take());
    return variable.user() ? variable.name() : null;
  }

  private static String name(TokenCursor cursor) {
    return cursor.takeName().toLowerCase(Locale.ROOT);
  }
}
