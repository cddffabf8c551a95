package io.anabranch.frontend.command;

import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionTransaction;
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
        && !transaction.connections().arePinned(Pin.XA)
        && commits(scan.kind())
        && !Pins.isOfTemporaryTable(scan);
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
