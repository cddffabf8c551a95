package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT that asks for nothing but the session: system variables, session functions and literals,
 * without tables, such as clients send when they connect.
 *
 * @param limit rows at most: 1 unless LIMIT 0 was written
 */
public record SessionSelect(List<Item> items, int limit) {

  private static final Set<String> FUNCTIONS =
      Set.of(
          "database",
          "schema",
          "user",
          "session_user",
          "system_user",
          "current_user",
          "connection_id",
          "version",
          "last_insert_id",
          "row_count",
          "found_rows");

  public SessionSelect {
    items = List.copyOf(items);
  }

  /** One column. */
  public sealed interface Item {

    /** Name of the result column: the alias, or the text as written. */
    String label();

    /**
     * @param name lower case
     */
    record Variable(SetStatement.@Nullable Scope scope, String name, String label)
        implements Item {}

    /**
     * @param name lower case, one of the session functions without arguments
     */
    record Function(String name, String label) implements Item {}

    /**
     * @param text as written, quotes included
     */
    record Literal(String text, String label) implements Item {}
  }

  /** Null if the statement asks for anything else as well. */
  public static @Nullable SessionSelect parse(SourceText source) {
    var cursor = new TokenCursor(source);
    if (!cursor.accept("SELECT")) {
      return null;
    }
    var items = new ArrayList<Item>();
    do {
      Item item = item(cursor);
      if (item == null) {
        return null;
      }
      items.add(item);
    } while (cursor.acceptPunctuation(','));
    int limit = 1;
    if (cursor.accept("LIMIT")) {
      if (!cursor.isKind(TokenKind.NUMBER)) {
        return null;
      }
      limit = "0".equals(cursor.take()) ? 0 : 1;
    }
    return cursor.atEnd() ? new SessionSelect(items, limit) : null;
  }

  private static @Nullable Item item(TokenCursor cursor) {
    int start = cursor.position();
    if (cursor.isKind(TokenKind.VARIABLE)) {
      VariableName variable = VariableName.of(cursor.take(), cursor.mode());
      return variable.user()
          ? null
          : new Item.Variable(
              variable.scope(), variable.name(), label(cursor, cursor.textSince(start)));
    }
    if (cursor.isKind(TokenKind.NUMBER) || cursor.isKind(TokenKind.STRING)) {
      boolean isString = cursor.isKind(TokenKind.STRING);
      String text = cursor.take();
      String own = isString ? text.substring(1, Math.max(1, text.length() - 1)) : text;
      return new Item.Literal(text, label(cursor, own));
    }
    if (!cursor.isKind(TokenKind.WORD)) {
      return null;
    }
    String name = cursor.takeName().toLowerCase(Locale.ROOT);
    if (!FUNCTIONS.contains(name)) {
      return null;
    }
    boolean called = cursor.acceptPunctuation('(') && cursor.acceptPunctuation(')');
    if (!called && !name.equals("current_user")) {
      return null;
    }
    return new Item.Function(name, label(cursor, cursor.textSince(start)));
  }

  private static String label(TokenCursor cursor, String written) {
    boolean named = cursor.accept("AS");
    if (cursor.isKind(TokenKind.STRING) || cursor.isKind(TokenKind.QUOTED)) {
      return cursor.takeNameOrString();
    }
    boolean behindItem = cursor.isName() && !isLimit(cursor);
    return named || behindItem ? cursor.takeNameOrString() : written;
  }

  private static boolean isLimit(TokenCursor cursor) {
    int here = cursor.position();
    boolean limit = cursor.accept("LIMIT");
    cursor.moveTo(here);
    return limit;
  }
}
