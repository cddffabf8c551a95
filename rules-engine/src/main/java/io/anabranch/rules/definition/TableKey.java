package io.anabranch.rules.definition;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
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
    int open = tokens.between(from, to).skip(token -> !tokens.isPunctuation(token, '('));
    int named =
        tokens
            .between(from + 1, open)
            .find(
                token ->
                    tokens.isName(token)
                        && !isKeyword(tokens, token)
                        && !tokens.isWord(token - 1, "USING"));
    String name = primary ? PRIMARY : named < 0 ? "" : tokens.name(named);
    return new TableKey(name, unique, open < to ? parts(tokens, open) : List.of(), text);
  }

  private static boolean isKeyword(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, "KEY", "INDEX", "UNIQUE", "USING", "IF", "NOT", "EXISTS");
  }

  /** What stands between parentheses. */
  static List<Part> parts(SqlTokens tokens, int open) {
    return tokens.between(open + 1, tokens.closing(open)).parts().stream()
        .map(part -> part(tokens, part.first(), part.behind()))
        .toList();
  }

  private static Part part(SqlTokens tokens, int from, int to) {
    boolean prefixed = tokens.isPunctuation(from + 1, '(') && from + 1 < to;
    long prefix = prefixed ? tokens.wholeNumber(from + 2) : 0;
    if (!tokens.isName(from) || prefix < 0) {
      int behind = tokens.isPunctuation(from, '(') ? tokens.closing(from) + 1 : to;
      return new Part(null, 0, tokens.between(from, Math.min(behind, tokens.size())).text());
    }
    String column = tokens.name(from);
    String quoted = TableNames.quoted(column);
    int most = (int) Math.min(prefix, Integer.MAX_VALUE);
    return new Part(column, most, prefix > 0 ? "LEFT(" + quoted + ", " + prefix + ")" : quoted);
  }
}
