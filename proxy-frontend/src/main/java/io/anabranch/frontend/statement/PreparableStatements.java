package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.function.Supplier;

/**
 * Which statements servers refuse to prepare (1295). MariaDB prepares nearly all; for MySQL see <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/sql-prepared-statements.html">Prepared
 * Statements</a>.
 */
public final class PreparableStatements {

  private PreparableStatements() {}

  /**
   * @param tokens of the statement, asked for where its kind does not tell
   */
  public static boolean areRefused(
      StatementKind kind, Supplier<SqlTokens> tokens, boolean isMariaDb) {
    return switch (kind) {
      case PREPARE, EXECUTE, DEALLOCATE -> true;
      case BEGIN, SAVEPOINT, USE, LOCK_TABLES, UNLOCK_TABLES, LOAD_DATA, HANDLER, XA -> !isMariaDb;
      case ROLLBACK -> !isMariaDb && isSavepoint(tokens.get());
      case SHOW -> !isMariaDb && isOfDiagnostics(tokens.get());
      case TABLE_MAINTENANCE -> !isMariaDb && tokens.get().isWord(0, "CHECK");
      case CREATE, DROP -> !isMariaDb && isProgram(tokens.get());
      case ALTER -> !isMariaDb && isUnalterable(tokens.get());
      default -> false;
    };
  }

  private static boolean isSavepoint(SqlTokens tokens) {
    return tokens.isWord(1, "TO") || tokens.isWord(2, "TO");
  }

  private static boolean isOfDiagnostics(SqlTokens tokens) {
    return tokens.isWord(1, "WARNINGS") || tokens.isWord(1, "ERRORS") || tokens.isWord(1, "COUNT");
  }

  /** The word may stand behind DEFINER = user@host. */
  private static boolean isProgram(SqlTokens tokens) {
    boolean isDefined = tokens.isWord(1, "DEFINER");
    return tokens
        .between(1, Math.min(tokens.size(), isDefined ? 8 : 2))
        .hasWord("TRIGGER", "PROCEDURE", "FUNCTION");
  }

  private static boolean isUnalterable(SqlTokens tokens) {
    return tokens.isWord(1, "DATABASE")
        || tokens.isWord(1, "SCHEMA")
        || tokens.isWord(1, "VIEW")
        || isProgram(tokens);
  }
}
