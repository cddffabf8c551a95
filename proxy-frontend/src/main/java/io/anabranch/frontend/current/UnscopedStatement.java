package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import io.anabranch.rules.syntax.query.NamedTables;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements of sessions that have not selected a database: they run on the database that they
 * name, or anywhere when they need none.
 */
public final class UnscopedStatement {

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
          "binlog",
          "procedure",
          "function",
          "package",
          "library",
          "engine",
          "open",
          "relaylog",
          "profile",
          "profiles",
          "authors",
          "contributors",
          "explain",
          "analyze",
          "parse_tree",
          "client_statistics",
          "index_statistics",
          "table_statistics",
          "user_statistics",
          "locales",
          "wsrep_membership",
          "wsrep_status");

  private UnscopedStatement() {}

  /**
   * Whether it would do something to what the selected database has, so that it must not be taken
   * for one of the database that was selected before.
   */
  public static boolean isOfItsDatabase(StatementKind kind) {
    return switch (kind) {
      case INSERT,
          REPLACE,
          UPDATE,
          DELETE,
          CREATE,
          ALTER,
          DROP,
          RENAME,
          TRUNCATE,
          CALL,
          HANDLER,
          LOAD_DATA,
          LOCK_TABLES,
          TABLE_MAINTENANCE ->
          true;
      default -> false;
    };
  }

  /** The first of the proxy's databases that it names; null: it names none. */
  public static @Nullable Backend named(SourceText source, Session session) {
    SqlTokens tokens = source.tokens();
    for (int qualifier : tokens.all().qualifiers()) {
      Backend named = session.deployment().backend(tokens.name(qualifier));
      if (named != null) {
        return named;
      }
    }
    return null;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1046 if it needs a database and names none;
   *     also where the current one has no data source yet
   */
  public static Backend backend(SourceText source, StatementKind kind, Session session) {
    SqlTokens tokens = source.tokens();
    for (int qualifier : tokens.all().qualifiers()) {
      String name = tokens.name(qualifier);
      Backend named = session.deployment().backend(name);
      if (named != null) {
        return session.database().permitted(name);
      }
      if (LogicalDatabase.isSystemSchema(name)) {
        return session.anyBackend();
      }
    }
    if (kind == StatementKind.SHOW) {
      requireKnown(tokens, session);
    }
    if (!needsNone(kind, tokens)) {
      throw session.database().missing();
    }
    return session.anyBackend();
  }

  /** A database that is named, but is none of the proxy's nor of the server's own. */
  private static void requireKnown(SqlTokens tokens, Session session) {
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      String name = tokens.name(mention.token());
      if (mention.isSchema() && !LogicalDatabase.isSystemSchema(name)) {
        session.database().permitted(name);
      }
    }
  }

  private static boolean needsNone(StatementKind kind, SqlTokens tokens) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, DO, DESCRIBE -> NamedTables.of(tokens).isEmpty();
      case SHOW ->
          namesSystem(tokens)
              || (tokens.size() > 1
                  && SHOWN_OF_SERVER.contains(tokens.text(1).toLowerCase(Locale.ROOT)));
      case OTHER ->
          tokens.isWord(0, "HELP")
              // of COM_REFRESH
              || (tokens.isWord(1, "NOT") && tokens.isWord(3, "FLUSH"));
      case SET, FLUSH, ACCOUNT, PREPARE, EXECUTE, DEALLOCATE, UNLOCK_TABLES -> true;
      default -> false;
    };
  }

  /** {@code SHOW TABLES FROM mysql}. */
  private static boolean namesSystem(SqlTokens tokens) {
    return SchemaMentions.of(tokens).stream()
        .anyMatch(mention -> LogicalDatabase.isSystemSchema(tokens.name(mention.token())));
  }
}
