package io.anabranch.rules.definition;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.routing.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table as SHOW CREATE TABLE tells it, in pieces that can be compared. Immutable.
 *
 * @param columns in their order; the text begins with the name
 * @param keys primary, unique and other ones
 * @param constraints foreign keys, checks, periods
 * @param options engine, character set, partitions; without the next AUTO_INCREMENT value
 * @see <a href="https://dev.mysql.com/doc/refman/9.0/en/show-create-table.html">SHOW CREATE
 *     TABLE</a>
 */
public record TableDefinition(
    List<Item> columns, List<TableKey> keys, List<Item> constraints, String options) {

  public TableDefinition {
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
    constraints = List.copyOf(constraints);
  }

  /**
   * A named part of the definition.
   *
   * @param text as the server writes it
   */
  public record Item(String name, String text) {}

  /**
   * Reads what a server tells.
   *
   * @param names turns an actual name of a table or constraint into one that all parts have
   * @throws IllegalArgumentException if it is no CREATE TABLE with columns
   */
  public static TableDefinition of(String told, PartNames names) {
    SqlTokens tokens = SqlTokens.of(told);
    int open = 0;
    while (open < tokens.size() && !tokens.isPunctuation(open, '(')) {
      open++;
    }
    int close = open < tokens.size() ? tokens.closing(open) : open;
    if (close >= tokens.size()) {
      throw new IllegalArgumentException("no table: " + told);
    }
    var reader = new Reader(told, tokens, names);
    int first = open + 1;
    for (int i = first; i <= close; i++) {
      boolean ends =
          i == close || (tokens.isPunctuation(i, ',') && tokens.depth(i) == tokens.depth(first));
      if (ends) {
        reader.item(first, i);
        first = i + 1;
      }
    }
    return new TableDefinition(
        reader.columns, reader.keys, reader.constraints, reader.options(close + 1));
  }

  /** The column of a name, compared without regard to case; null: there is none. */
  public @Nullable Item column(String name) {
    for (Item column : columns) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  /** What the type and collation of a column let routing conclude. */
  public KeyType keyType(String name) {
    Item column = column(name);
    if (column == null) {
      return KeyType.OTHER;
    }
    SqlTokens tokens = SqlTokens.of(column.text());
    int behind = tokens.isPunctuation(2, '(') ? tokens.closing(2) + 1 : 2;
    String type = column.text().substring(tokens.start(1), tokens.end(behind - 1));
    return KeyType.of(type, collation(tokens, behind));
  }

  /**
   * Servers name it unless it is the table's, or the first one of a character set that they name:
   * such a one is never binary. Null, too, where it is not known.
   */
  private @Nullable String collation(SqlTokens column, int from) {
    boolean ownCharset = false;
    for (int i = from; i < column.size(); i++) {
      if (column.isWord(i, "COLLATE")) {
        return column.text(i + 1).toLowerCase(Locale.ROOT);
      }
      ownCharset |= column.isWord(i, "CHARACTER") && column.isWord(i + 1, "SET");
    }
    SqlTokens table = SqlTokens.of(options);
    for (int i = 0; i + 1 < table.size() && !ownCharset; i++) {
      if (table.isWord(i, "COLLATE")) {
        int value = table.isOperator(i + 1, "=") ? i + 2 : i + 1;
        return table.text(value).toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  private static final class Reader {

    private final String text;
    private final SqlTokens tokens;
    private final PartNames names;
    private final List<Item> columns = new ArrayList<>();
    private final List<TableKey> keys = new ArrayList<>();
    private final List<Item> constraints = new ArrayList<>();

    Reader(String text, SqlTokens tokens, PartNames names) {
      this.text = text;
      this.tokens = tokens;
      this.names = names;
    }

    void item(int from, int to) {
      if (from >= to) {
        return;
      }
      String written = written(from, to);
      if (tokens.kind(from) == TokenKind.QUOTED) {
        columns.add(new Item(tokens.name(from), written));
      } else if (tokens.isWord(from, "CONSTRAINT") || tokens.isWord(from, "PERIOD")) {
        String name = tokens.isName(from + 1) ? names.shared(tokens.name(from + 1)) : "";
        constraints.add(new Item(name, written));
      } else if (tokens.isWord(from, "CHECK") || tokens.isWord(from, "FOREIGN")) {
        constraints.add(new Item(written, written));
      } else {
        TableKey key = TableKey.of(tokens, from, to, written);
        String name = key.isPrimary() ? key.name() : names.shared(key.name());
        keys.add(new TableKey(name, key.unique(), key.parts(), written));
      }
    }

    /** The text with the names that all parts have. */
    private String written(int from, int to) {
      var out = new StringBuilder();
      int copied = tokens.start(from);
      for (int i = from; i < to; i++) {
        if (tokens.kind(i) == TokenKind.QUOTED && renames(i, from)) {
          out.append(text, copied, tokens.start(i));
          out.append('`').append(names.shared(tokens.name(i)).replace("`", "``")).append('`');
          copied = tokens.end(i);
        }
      }
      return out.append(text, copied, tokens.end(to - 1)).toString();
    }

    private boolean renames(int token, int first) {
      return tokens.isWord(token - 1, "REFERENCES")
          || tokens.isWord(token - 1, "CONSTRAINT")
          || tokens.isWord(token - 1, "KEY")
          || (tokens.isPunctuation(token - 1, '.')
              && tokens.isWord(token - 3, "REFERENCES")
              && token > first);
    }

    private String options(int from) {
      var out = new StringBuilder();
      for (int i = from; i < tokens.size(); i++) {
        if (tokens.isWord(i, "AUTO_INCREMENT") && tokens.isOperator(i + 1, "=")) {
          i += 2;
        } else {
          boolean glued = out.isEmpty() || tokens.start(i) == tokens.end(i - 1);
          out.append(glued ? "" : " ").append(tokens.text(i));
        }
      }
      return out.toString();
    }
  }

  /** What parts of a table have in common where their names differ. */
  @FunctionalInterface
  public interface PartNames {

    /** The name that all parts have instead of {@code actual}. */
    String shared(String actual);

    /**
     * Constraints are called like the part in front or behind: {@code c_t_0}, {@code t_0_ibfk_1}.
     *
     * @param part the part's own name
     * @param others turns actual names of other tables into logical ones
     */
    static PartNames of(String part, PartNames others) {
      String lower = part.toLowerCase(Locale.ROOT);
      return actual -> {
        String name = actual.toLowerCase(Locale.ROOT);
        if (name.endsWith("_" + lower)) {
          return actual.substring(0, actual.length() - part.length() - 1);
        }
        if (name.startsWith(lower + "_ibfk_") || name.startsWith(lower + "_chk_")) {
          return "#" + actual.substring(part.length());
        }
        return others.shared(actual);
      };
    }
  }
}
