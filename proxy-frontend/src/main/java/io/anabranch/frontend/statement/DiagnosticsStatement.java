package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET [CURRENT] DIAGNOSTICS} into user variables, read.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/get-diagnostics.html">GET
 * DIAGNOSTICS</a>.
 *
 * @param condition number or user variable; null for what is said of the statement as a whole
 */
public record DiagnosticsStatement(@Nullable String condition, List<Item> items) {

  public DiagnosticsStatement {
    items = List.copyOf(items);
  }

  /**
   * @param variable name without sign, lower case
   * @param what upper case
   */
  public record Item(String variable, String what) {}

  /** Null if the statement is another one, or of a form that only stored programs have. */
  public static @Nullable DiagnosticsStatement parse(SourceText source) {
    var cursor = new TokenCursor(source);
    if (!cursor.accept("GET", "DIAGNOSTICS") && !cursor.accept("GET", "CURRENT", "DIAGNOSTICS")) {
      return null;
    }
    String condition = null;
    if (cursor.accept("CONDITION")) {
      if (!cursor.isKind(TokenKind.NUMBER) && !cursor.isKind(TokenKind.VARIABLE)) {
        return null;
      }
      condition = cursor.take();
    }
    var items = new ArrayList<Item>();
    do {
      if (!cursor.isKind(TokenKind.VARIABLE)) {
        return null;
      }
      VariableName variable = VariableName.of(cursor.take(), cursor.mode());
      if (!variable.user() || !cursor.acceptAssignment() || !cursor.isName()) {
        return null;
      }
      items.add(new Item(variable.name(), cursor.takeName().toUpperCase(Locale.ROOT)));
    } while (cursor.acceptPunctuation(','));
    return cursor.atEnd() ? new DiagnosticsStatement(condition, items) : null;
  }
}
