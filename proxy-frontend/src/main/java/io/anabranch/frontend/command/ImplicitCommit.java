package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.Set;

/**
 * Statements in front of which the server commits.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html">Implicit
 * Commit</a>.
 */
final class ImplicitCommit {

  /** ER_PARSE_ERROR and ER_SYNTAX_ERROR. */
  private static final Set<Integer> SYNTAX_ERRORS = Set.of(1064, 1149);

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
      requireParsed(statement, session);
    }
    session.transaction().commitBeforeDdl();
  }

  private static void requireParsed(CurrentStatement statement, Session session) {
    Backend backend = statement.targetBackend();
    StatementLeases leases =
        session
            .connections()
            .leases(
                endpoint -> session.members().findBlocking(backend, endpoint, Access.WRITE).name(),
                Access.READ,
                session.settings());
    Lease lease = leases.ready(backend.database().endpoints().getFirst());
    try {
      lease.shard().describe(ShardQuery.text(lease.dataSource(), statement.sql()));
    } catch (ShardException.Database refused) {
      if (SYNTAX_ERRORS.contains(refused.errno())) {
        leases.failed(lease, 0);
        throw refused;
      }
    } catch (ShardException.Lost broken) {
      throw leases.lost(lease, String.valueOf(broken.getMessage()));
    }
    leases.failed(lease, 0);
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
