package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.task.PlanTask;

/**
 * Statements that ask a database what a session runs, by its number: {@code EXPLAIN FOR CONNECTION
 * 7}, MariaDB's {@code SHOW EXPLAIN FOR 7}. Clients know the proxy's numbers; at a database the
 * same number is a connection of the pool, or anybody's.
 */
public final class SessionNumbers {

  private SessionNumbers() {}

  /**
   * In every database, those that are passed through among them.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is such a statement
   */
  public static void refuse(PlanTask task) {
    StatementKind kind = task.scan().kind();
    if (kind != StatementKind.DESCRIBE && kind != StatementKind.SHOW) {
      return;
    }
    SqlTokens tokens = task.source().tokens();
    if (kind == StatementKind.DESCRIBE ? explainsSession(tokens) : showsSession(tokens)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          tokens.text(0) + " of what another session runs",
          "use SHOW PROCESSLIST, and EXPLAIN the statement itself");
    }
  }

  /** {@code EXPLAIN FORMAT = JSON INTO @plan FOR CONNECTION 7}. */
  private static boolean explainsSession(SqlTokens tokens) {
    int statement = ExplainPlanner.statement(tokens);
    int end = statement < 0 ? tokens.size() : statement;
    int at =
        tokens
            .all()
            .findName(each -> tokens.isWord(each, "FOR") && tokens.isWord(each + 1, "CONNECTION"));
    return at >= 0 && at < end;
  }

  /** {@code SHOW ANALYZE FORMAT = JSON FOR 7}. */
  private static boolean showsSession(SqlTokens tokens) {
    if (!tokens.isAnyWord(1, "EXPLAIN", "ANALYZE")) {
      return false;
    }
    int at = tokens.isWord(2, "FORMAT") ? 5 : 2;
    return tokens.isWord(at, "FOR");
  }
}
