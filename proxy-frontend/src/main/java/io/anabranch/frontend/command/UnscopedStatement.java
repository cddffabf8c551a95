package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.Locale;
import java.util.Set;

/**
 * Statements of sessions that have not selected a database: they run on the database that they
 * name, or anywhere when they need none.
 */
final class UnscopedStatement {

  private static final Set<String> SYSTEM_SCHEMAS =
      Set.of("information_schema", "mysql", "performance_schema", "sys");
  private static final Set<String> BEFORE_TABLE =
      Set.of("from", "join", "into", "update", "table", "straight_join");
  private static final Set<String> SHOWN_OF_SERVER =
      Set.of(
          "variables",
          "status",
          "collation",
          "character",
          "charset",
          "engines",
          "storage",
          "plugins",
          "privileges",
          "grants",
          "global",
          "session",
          "local",
          "master",
          "slave",
          "replica",
          "replicas",
          "binary",
          "binlog");

  private UnscopedStatement() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException 1046 if it needs a database and names none
   */
  static Backend backend(SourceText source, StatementKind kind, Session session) {
    SqlTokens tokens = source.tokens();
    if (kind == StatementKind.CREATE || kind == StatementKind.ALTER || kind == StatementKind.DROP) {
      Backend database = DatabaseStatement.backend(tokens, session);
      if (database != null) {
        return database;
      }
    }
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.isName(i) && tokens.isPunctuation(i + 1, '.')) {
        String name = tokens.name(i);
        Backend named = session.deployment().backend(name);
        if (named != null) {
          return session.database().permitted(name);
        }
        if (SYSTEM_SCHEMAS.contains(name.toLowerCase(Locale.ROOT))) {
          return session.anyBackend();
        }
      }
    }
    if (!needsNone(kind, tokens)) {
      throw ErrorCatalogue.NO_DATABASE_SELECTED.refuse();
    }
    return session.anyBackend();
  }

  private static boolean needsNone(StatementKind kind, SqlTokens tokens) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, DO -> !readsTables(tokens);
      case SHOW ->
          tokens.size() > 1 && SHOWN_OF_SERVER.contains(tokens.text(1).toLowerCase(Locale.ROOT));
      case OTHER -> tokens.isWord(0, "HELP");
      case SET, FLUSH, ACCOUNT, PREPARE, EXECUTE, DEALLOCATE, UNLOCK_TABLES -> true;
      default -> false;
    };
  }

  /** {@code FROM t}, but not {@code FROM DUAL}, {@code FROM (…)} or {@code EXTRACT(… FROM …)}. */
  private static boolean readsTables(SqlTokens tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      boolean before =
          tokens.isName(i) && BEFORE_TABLE.contains(tokens.text(i).toLowerCase(Locale.ROOT));
      if (before
          && tokens.isName(i + 1)
          && !tokens.isWord(i + 1, "DUAL")
          && !isFunctionFrom(tokens, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFunctionFrom(SqlTokens tokens, int from) {
    for (int i = from - 1; i > 0; i--) {
      if (tokens.depth(i) < tokens.depth(from)) {
        return tokens.isWord(i - 1, "EXTRACT")
            || tokens.isWord(i - 1, "TRIM")
            || tokens.isWord(i - 1, "SUBSTRING")
            || tokens.isWord(i - 1, "SUBSTR")
            || tokens.isWord(i - 1, "MID");
      }
    }
    return false;
  }
}
