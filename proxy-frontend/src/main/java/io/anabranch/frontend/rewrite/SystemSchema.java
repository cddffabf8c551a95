package io.anabranch.frontend.rewrite;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.CommonTables;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements of a session that has said USE information_schema or the like: no connection of a
 * database is there, so that the schema is written in front of the tables that have none.
 */
public final class SystemSchema {

  private static final Set<String> BEFORE_TABLE =
      Set.of(
          "from",
          "join",
          "straight_join",
          "into",
          "update",
          "table",
          "truncate",
          "view",
          "describe",
          "desc",
          "explain");

  /** Behind these a name is a table's, also where a list of columns follows. */
  private static final Set<String> BEFORE_TABLE_WITH_COLUMNS =
      Set.of("into", "table", "truncate", "update", "view");

  private static final Set<String> SHOWN_OF_TABLES =
      Set.of("columns", "fields", "index", "indexes", "keys");

  /** What ends a list of tables. */
  private static final Set<String> BEHIND_TABLES =
      Set.of(
          "where",
          "group",
          "order",
          "limit",
          "having",
          "union",
          "except",
          "intersect",
          "select",
          "window",
          "procedure",
          "for");

  /** Followed by a statement, or by something else that is no table. */
  private static final Set<String> NO_TABLE =
      Set.of(
          "dual",
          "select",
          "update",
          "delete",
          "insert",
          "replace",
          "extended",
          "partitions",
          "format",
          "lateral",
          "json_table",
          "table",
          "if",
          "outfile",
          "dumpfile",
          "route",
          "with");

  private final SourceText source;
  private final SqlTokens tokens;
  private final String prefix;
  private final Set<String> named;
  private final StringBuilder out = new StringBuilder();
  private int copied;

  private SystemSchema(SourceText source, String schema) {
    this.source = source;
    this.tokens = source.tokens();
    this.prefix = schema;
    // the names that WITH gives are no tables
    this.named =
        tokens.isWord(0, "WITH") ? new CommonTables(tokens, () -> false).names() : Set.of();
  }

  /** The statement with the schema in it; null if there is nowhere to write it. */
  public static @Nullable String qualify(SourceText source, String schema) {
    var statement = new SystemSchema(source, schema);
    if (source.tokens().isWord(0, "SHOW")) {
      statement.show();
    } else {
      statement.tables();
    }
    return statement.copied == 0
        ? null
        : statement.out.append(source.text(), statement.copied, source.text().length()).toString();
  }

  private void show() {
    int last = tokens.isWord(1, "FULL") || tokens.isWord(1, "EXTENDED") ? 2 : 1;
    boolean isStatus = tokens.isWord(1, "TABLE") && tokens.isWord(2, "STATUS");
    if (isStatus
        || tokens.isWord(last, "TABLES")
        || tokens.isWord(last, "TRIGGERS")
        || tokens.isWord(last, "EVENTS")) {
      int end = isStatus ? 2 : last;
      if (!isIn(end + 1)) {
        insert(tokens.end(end), " FROM " + prefix);
      }
    } else if (tokens.isWord(1, "CREATE")
        && (tokens.isWord(2, "TABLE") || tokens.isWord(2, "VIEW"))) {
      table(3);
    } else if (SHOWN_OF_TABLES.contains(word(last)) && isIn(last + 1) && !isIn(last + 3)) {
      table(last + 2);
    }
  }

  private boolean isIn(int at) {
    return tokens.isWord(at, "FROM") || tokens.isWord(at, "IN");
  }

  private String word(int at) {
    return at < tokens.size() ? tokens.text(at).toLowerCase(Locale.ROOT) : "";
  }

  private void tables() {
    int listDepth = -1;
    for (int i :
        tokens.all().where(each -> tokens.isName(each) || tokens.isPunctuation(each, ','))) {
      String word = tokens.text(i).toLowerCase(Locale.ROOT);
      if (tokens.isPunctuation(i, ',') && tokens.depth(i) == listDepth) {
        table(i + 1);
      } else if (BEFORE_TABLE.contains(word) && !tokens.isPunctuation(i - 1, '.')) {
        if (mayStart(word, i)) {
          listDepth = word.equals("from") ? tokens.depth(i) : listDepth;
          table(i + 1, BEFORE_TABLE_WITH_COLUMNS.contains(word));
        }
      } else if (BEHIND_TABLES.contains(word) && tokens.depth(i) == listDepth) {
        listDepth = -1;
      }
    }
  }

  /** DESCRIBE, EXPLAIN at the start alone; FROM not in EXTRACT, TRIM and their like. */
  private boolean mayStart(String word, int at) {
    return switch (word) {
      case "describe", "desc", "explain" -> at == 0;
      case "from" -> !FunctionUses.isOwnFrom(tokens, at);
      case "update", "truncate" -> at == 0;
      default -> true;
    };
  }

  private void table(int at) {
    table(at, false);
  }

  /**
   * @param mayHaveColumns a parenthesis behind it is no function's
   */
  private void table(int at, boolean mayHaveColumns) {
    boolean isTable =
        tokens.isName(at)
            && !tokens.isPunctuation(at + 1, '.')
            && (mayHaveColumns || !tokens.isPunctuation(at + 1, '('))
            && !isKeyword(at)
            && !named.contains(tokens.name(at).toLowerCase(Locale.ROOT));
    if (isTable) {
      insert(tokens.start(at), prefix + ".");
    }
  }

  private boolean isKeyword(int at) {
    return tokens.kind(at) == TokenKind.WORD
        && NO_TABLE.contains(tokens.text(at).toLowerCase(Locale.ROOT));
  }

  private void insert(int offset, String text) {
    out.append(source.text(), copied, offset).append(text);
    copied = offset;
  }
}
