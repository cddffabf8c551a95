package io.anabranch.rules.definition;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key of a table.
 *
 * @param name {@code PRIMARY} of a primary key; empty where a statement gives none
 * @param unique whether two rows may not have the same values
 * @param text as the server or the statement writes it
 */
public record TableKey(String name, boolean unique, List<Part> parts, String text) {

  static final String PRIMARY = "PRIMARY";

  public TableKey {
    parts = List.copyOf(parts);
  }

  /**
   * @param column null: an expression
   * @param prefix characters of the column that count; 0: all
   * @param expression what rows are compared by, as SQL text
   */
  public record Part(@Nullable String column, int prefix, String expression) {}

  public boolean isPrimary() {
    return name.equals(PRIMARY);
  }

  /** Whether a column is a part of the key with all that it holds. */
  public boolean hasWhole(String column) {
    for (Part part : parts) {
      String own = part.column();
      if (own != null && own.equalsIgnoreCase(column) && part.prefix() == 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether it has all of these columns whole, so that equal keys lie on one node. */
  public boolean holdsAll(Set<String> columns) {
    return columns.stream().allMatch(this::hasWhole);
  }

  /** As people call it. */
  public String called() {
    return isPrimary() ? "PRIMARY KEY" : "UNIQUE KEY '" + name + "'";
  }

  /**
   * Reads {@code [PRIMARY | UNIQUE | …] [KEY | INDEX] [name] [USING …] (parts) …}.
   *
   * @param text of the whole
   */
  static TableKey of(SqlTokens tokens, int from, int to, String text) {
    boolean primary = tokens.isWord(from, "PRIMARY");
    boolean unique = primary || tokens.isWord(from, "UNIQUE");
    String name = primary ? PRIMARY : "";
    int open = from;
    while (open < to && !tokens.isPunctuation(open, '(')) {
      boolean names =
          open > from
              && !primary
              && name.isEmpty()
              && tokens.isName(open)
              && !isKeyword(tokens, open)
              && !tokens.isWord(open - 1, "USING");
      if (names) {
        name = tokens.name(open);
      }
      open++;
    }
    return new TableKey(name, unique, open < to ? parts(tokens, open) : List.of(), text);
  }

  private static boolean isKeyword(SqlTokens tokens, int token) {
    for (String word : List.of("KEY", "INDEX", "UNIQUE", "USING", "IF", "NOT", "EXISTS")) {
      if (tokens.isWord(token, word)) {
        return true;
      }
    }
    return false;
  }

  /** What stands between parentheses. */
  static List<Part> parts(SqlTokens tokens, int open) {
    var parts = new ArrayList<Part>();
    int close = tokens.closing(open);
    int first = open + 1;
    for (int i = first; i <= close; i++) {
      boolean ends =
          i == close || (tokens.isPunctuation(i, ',') && tokens.depth(i) == tokens.depth(open) + 1);
      if (ends && first < i) {
        parts.add(part(tokens, first, i));
        first = i + 1;
      }
    }
    return parts;
  }

  private static Part part(SqlTokens tokens, int from, int to) {
    boolean prefixed = tokens.isPunctuation(from + 1, '(') && from + 1 < to;
    long prefix = prefixed ? tokens.wholeNumber(from + 2) : 0;
    if (!tokens.isName(from) || prefix < 0) {
      int last = tokens.isPunctuation(from, '(') ? tokens.closing(from) : to - 1;
      var text = new StringBuilder();
      for (int i = from; i <= last && i < tokens.size(); i++) {
        boolean apart = i > from && tokens.start(i) > tokens.end(i - 1);
        text.append(apart ? " " : "").append(tokens.text(i));
      }
      return new Part(null, 0, text.toString());
    }
    String column = tokens.name(from);
    String quoted = TableNames.quoted(column);
    int most = (int) Math.min(prefix, Integer.MAX_VALUE);
    return new Part(column, most, prefix > 0 ? "LEFT(" + quoted + ", " + prefix + ")" : quoted);
  }
}
