package io.anabranch.frontend.command;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;

/**
 * Statements in front of which the server commits.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html">Implicit
 * Commit</a>.
 */
final class ImplicitCommit {

  private ImplicitCommit() {}

  /** Whether an open transaction must be committed before the statement runs. */
  static boolean precedes(Scan scan, SessionTransaction transaction) {
    return transaction.isOpen()
        && !transaction.connections().pins().any(Pin.XA)
        && commits(scan.kind())
        && !Pins.isOfTemporaryTable(scan);
  }

  /**
   * Commits in front of the statement. What a database cannot parse commits nothing: it is asked
   * before, within the transaction. Blocks.
   *
   * @throws ShardException.Database the syntax error; the transaction goes on
   * @throws RuntimeException if the transaction could not be committed
   */
  static void run(CurrentStatement statement, Session session) {
    if (!statement.isPrepared()) {
      ShardException.Database error =
          SyntaxProbe.error(statement.sql(), statement.targetBackend(), session);
      if (error != null) {
        throw error;
      }
    }
    session.transaction().commitBeforeDdl();
  }

  private static boolean commits(StatementKind kind) {
    return switch (kind) {
      case CREATE, ALTER, DROP, RENAME, TRUNCATE, TABLE_MAINTENANCE, ACCOUNT, LOCK_TABLES, FLUSH ->
          true;
      default -> false;
    };
  }

  /** Whether the statement may change tables, so that plans and descriptions are out of date. */
  static boolean changesTables(StatementKind kind) {
    return switch (kind) {
      case CREATE, ALTER, DROP, RENAME, TRUNCATE -> true;
      default -> false;
    };
  }
}
