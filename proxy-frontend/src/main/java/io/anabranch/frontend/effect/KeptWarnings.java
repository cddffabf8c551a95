package io.anabranch.frontend.effect;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.Set;

/**
 * Which statements leave what the one before warned of, as long as they warn of nothing themselves:
 * on MariaDB those that name no table. Lists of SHOW are tables of information_schema, but for
 * those named here; functions may read tables without naming them. MySQL keeps warnings for the
 * statements that ask for them alone.
 */
public final class KeptWarnings {

  /** SHOW … of something that is no table of information_schema. */
  private static final Set<String> WITHOUT_TABLES =
      Set.of(
          "ALL",
          "AUTHORS",
          "BINARY",
          "BINLOG",
          "CONTRIBUTORS",
          "COUNT",
          "ENGINE",
          "ERRORS",
          "FULL PROCESSLIST",
          "GRANTS",
          "MASTER",
          "PRIVILEGES",
          "PROCESSLIST",
          "PROFILES",
          "RELAYLOG",
          "REPLICA",
          "SLAVE",
          "WARNINGS");

  /** What is created, altered, dropped and shown as a table is: by a table. */
  private static final Set<String> TABLES = Set.of("INDEX", "SEQUENCE", "TABLE", "VIEW");

  private static final Set<String> OTHERS =
      Set.of(
          "DATABASE",
          "EVENT",
          "FUNCTION",
          "PACKAGE",
          "PROCEDURE",
          "ROLE",
          "SCHEMA",
          "SERVER",
          "TRIGGER",
          "USER");

  private static final Set<String> WRITES = Set.of("DELETE", "INSERT", "REPLACE", "UPDATE");

  private static final Set<String> QUERIES = Set.of("SELECT", "VALUES", "WITH");

  private KeptWarnings() {}

  /**
   * On MariaDB.
   *
   * @param kind of the statement
   */
  public static boolean areKept(StatementKind kind, SqlTokens tokens) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, DO, SET, OTHER -> !isAboutTable(tokens) && namesNone(tokens);
      case DESCRIBE, TABLE_MAINTENANCE -> explainsNone(tokens);
      case SHOW -> isShownWithoutTables(tokens);
      case CREATE, ALTER, DROP -> !isDefinitionOfTable(tokens);
      case ACCOUNT -> !tokens.isWord(0, "GRANT") && !tokens.isWord(0, "REVOKE");
      case FLUSH -> !isAboutTable(tokens);
      case BEGIN,
          COMMIT,
          ROLLBACK,
          SAVEPOINT,
          XA,
          USE,
          UNLOCK_TABLES,
          DEALLOCATE,
          EXECUTE,
          KILL,
          PREPARE,
          EXPLAIN_ROUTE,
          ALTER_GROUP,
          EMPTY ->
          true;
      case INSERT,
          REPLACE,
          UPDATE,
          DELETE,
          RENAME,
          TRUNCATE,
          LOCK_TABLES,
          CALL,
          HANDLER,
          LOAD_DATA ->
          false;
    };
  }

  private static boolean explainsNone(SqlTokens tokens) {
    int verb =
        tokens
            .from(1)
            .find(
                token ->
                    WRITES.contains(tokens.word(token)) || QUERIES.contains(tokens.word(token)));
    return verb > 0 && QUERIES.contains(tokens.word(verb)) && namesNone(tokens);
  }

  private static boolean isShownWithoutTables(SqlTokens tokens) {
    String what = tokens.word(1);
    if (what.equals("CREATE")) {
      return !TABLES.contains(tokens.word(2));
    }
    return WITHOUT_TABLES.contains(what) || WITHOUT_TABLES.contains(what + " " + tokens.word(2));
  }

  /** A trigger's table is named where it is created. */
  private static boolean isDefinitionOfTable(SqlTokens tokens) {
    int object =
        tokens
            .from(1)
            .find(
                token ->
                    OTHERS.contains(tokens.word(token)) || TABLES.contains(tokens.word(token)));
    return object < 0
        || TABLES.contains(tokens.word(object))
        || (tokens.isWord(object, "TRIGGER") && tokens.isWord(0, "CREATE"));
  }

  /** FLUSH TABLES t, BACKUP LOCK t, CACHE INDEX t, LOAD INDEX INTO CACHE t. */
  private static boolean isAboutTable(SqlTokens tokens) {
    return switch (tokens.word(0)) {
      case "FLUSH" -> flushesTable(tokens);
      case "BACKUP" -> tokens.isWord(1, "LOCK");
      case "CACHE" -> true;
      case "LOAD" -> tokens.isWord(1, "INDEX");
      default -> false;
    };
  }

  private static boolean flushesTable(SqlTokens tokens) {
    int token = tokens.isWord(1, "LOCAL") || tokens.isWord(1, "NO_WRITE_TO_BINLOG") ? 2 : 1;
    boolean isOfTables = tokens.isWord(token, "TABLE") || tokens.isWord(token, "TABLES");
    return isOfTables && token + 1 < tokens.size() && !tokens.isWord(token + 1, "WITH");
  }

  private static boolean namesNone(SqlTokens tokens) {
    return !tokens.all().has(token -> isOfTable(tokens, token));
  }

  private static boolean isOfTable(SqlTokens tokens, int token) {
    return switch (tokens.word(token)) {
      case "FROM" -> !FunctionUses.isOwnFrom(tokens, token) && !tokens.isWord(token + 1, "DUAL");
      case "JOIN", "STRAIGHT_JOIN" -> true;
      case "LASTVAL", "NEXTVAL", "SETVAL" -> tokens.isPunctuation(token + 1, '(');
      case "NEXT", "PREVIOUS" -> tokens.isWord(token + 1, "VALUE");
      case "DELETE", "UPDATE" -> !tokens.isWord(token - 1, "FOR");
      case "INSERT", "REPLACE" -> !tokens.isPunctuation(token + 1, '(');
      default -> false;
    };
  }
}
