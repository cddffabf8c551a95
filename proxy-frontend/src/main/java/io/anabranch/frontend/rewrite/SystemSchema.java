package io.anabranch.frontend.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.syntax.query.NamedTables;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements of a session that has said USE information_schema or the like: no connection of a
 * database is there, so that the schema is written in front of the tables that have none.
 */
public final class SystemSchema {

  private static final Set<String> SHOWN_OF_TABLES =
      Set.of("columns", "fields", "index", "indexes", "keys");

  private final SqlTokens tokens;
  private final String prefix;
  private final TextEdits edits;

  private SystemSchema(SourceText source, String schema) {
    this.tokens = source.tokens();
    this.prefix = schema;
    this.edits = new TextEdits(source);
  }

  /** The statement with the schema in it; null if there is nowhere to write it. */
  public static @Nullable String qualify(SourceText source, String schema) {
    var statement = new SystemSchema(source, schema);
    if (source.tokens().isWord(0, "SHOW")) {
      statement.show();
    } else {
      NamedTables.of(source.tokens()).forEach(statement::table);
    }
    return statement.edits.isEmpty() ? null : statement.edits.text();
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
        edits.behind(end, " FROM " + prefix);
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

  private void table(int at) {
    if (tokens.isName(at) && !tokens.isPunctuation(at + 1, '.')) {
      edits.before(at, prefix + ".");
    }
  }
}
