package io.anabranch.rules.definition;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;
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
    int open = tokens.all().skip(token -> !tokens.isPunctuation(token, '('));
    int close = open < tokens.size() ? tokens.closing(open) : open;
    if (close >= tokens.size()) {
      throw new IllegalArgumentException("no table: " + told);
    }
    var reader = new Reader(told, tokens, names);
    for (Span item : tokens.between(open + 1, close).parts()) {
      reader.item(item.first(), item.behind());
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
    TokenRange own = column.from(from);
    int collate = own.findWord("COLLATE");
    if (collate >= 0) {
      return column.text(collate + 1).toLowerCase(Locale.ROOT);
    }
    boolean hasCharset =
        own.hasName(i -> column.isWord(i, "CHARACTER") && column.isWord(i + 1, "SET"));
    SqlTokens table = SqlTokens.of(options);
    int option = hasCharset ? -1 : table.between(0, table.size() - 1).findWord("COLLATE");
    int value = table.isOperator(option + 1, "=") ? option + 2 : option + 1;
    return option < 0 ? null : table.text(value).toLowerCase(Locale.ROOT);
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
      var out = new TextEdits(text, tokens);
      for (int i : tokens.between(from, to).where(each -> renames(each, from))) {
        out.replace(i, TableNames.quoted(names.shared(tokens.name(i))));
      }
      return out.text(from, to);
    }

    private boolean renames(int token, int first) {
      return tokens.kind(token) == TokenKind.QUOTED
          && (tokens.isAnyWord(token - 1, "REFERENCES", "CONSTRAINT", "KEY")
              || (tokens.isPunctuation(token - 1, '.')
                  && tokens.isWord(token - 3, "REFERENCES")
                  && token > first));
    }

    private String options(int from) {
      TokenRange all = tokens.from(from);
      int next =
          all.findName(i -> tokens.isWord(i, "AUTO_INCREMENT") && tokens.isOperator(i + 1, "="));
      return next < 0
          ? all.text()
          : (tokens.between(from, next).text() + " " + tokens.from(next + 3).text()).strip();
    }
  }

  /** What parts of a table have in common where their names differ. */
  @FunctionalInterface
  public interface PartNames {

    /** The name that all parts have instead of {@code actual}. */
    String shared(String actual);

    /**
     * Constraints are called like the part in front or behind: {@code c_t_0}, {@code t_0_ibfk_1}.
     * What ends like another part of the table is called so in all of them, by whoever made it.
     *
     * @param part the part's own name
     * @param others turns actual names of parts into logical ones
     */
    static PartNames of(String part, PartNames others) {
      String lower = part.toLowerCase(Locale.ROOT);
      String table = others.shared(part);
      return actual -> {
        String name = actual.toLowerCase(Locale.ROOT);
        for (int at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
          String behind = name.substring(at + 1);
          boolean isPart = !behind.equalsIgnoreCase(table) && others.shared(behind).equals(table);
          if (behind.equals(lower) || isPart) {
            return actual.substring(0, at);
          }
        }
        if (name.startsWith(lower + "_ibfk_") || name.startsWith(lower + "_chk_")) {
          return "#" + actual.substring(part.length());
        }
        return others.shared(actual);
      };
    }
  }
}
