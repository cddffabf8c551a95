package io.anabranch.frontend.effect;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.SyntaxProbe;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.Locale;

/**
 * Statements in front of which the server commits.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html">Implicit
 * Commit</a>.
 */
public final class ImplicitCommit {

  private ImplicitCommit() {}

  /** Whether an open transaction must be committed before the statement runs. */
  public static boolean precedes(CurrentStatement statement, Session session) {
    return mayCommit(session.transaction())
        && commits(statement, session)
        && !Pins.isOfTemporaryTable(statement.scan());
  }

  /**
   * Commits in front of a statement that the proxy itself answers where a server would commit: on
   * accounts and on whole databases. Blocks.
   *
   * @throws RuntimeException if the transaction could not be committed
   */
  public static void run(Session session) {
    SessionTransaction transaction = session.transaction();
    if (mayCommit(transaction)) {
      transaction.commitBeforeDdl();
    }
  }

  private static boolean mayCommit(SessionTransaction transaction) {
    return transaction.isOpen() && !transaction.connections().pins().any(Pin.XA);
  }

  private static boolean commits(CurrentStatement statement, Session session) {
    return switch (statement.scan().kind()) {
      case CREATE, ALTER, DROP, RENAME, TRUNCATE, LOCK_TABLES, FLUSH -> true;
      case TABLE_MAINTENANCE, ACCOUNT, OTHER ->
          commits(
              statement.scan().kind(),
              statement.source().tokens(),
              session.deployment().isMariaDb());
      default -> false;
    };
  }

  /** Of kinds of which some commit and some do not. */
  static boolean commits(StatementKind kind, SqlTokens tokens, boolean isMariaDb) {
    return switch (kind) {
      case TABLE_MAINTENANCE -> !tokens.isWord(0, "CHECKSUM");
      case ACCOUNT -> !(tokens.isWord(0, "SET") && tokens.isWord(1, "ROLE"));
      default -> isOfServer(tokens, isMariaDb);
    };
  }

  /** Seen on MariaDB 10.11 and MySQL 9.7, which differ. */
  private static boolean isOfServer(SqlTokens tokens, boolean isMariaDb) {
    if (tokens.size() == 0) {
      return false;
    }
    return switch (tokens.text(0).toUpperCase(Locale.ROOT)) {
      case "RESET" -> !tokens.isWord(1, "PERSIST");
      case "INSTALL", "UNINSTALL" -> true;
      case "BACKUP" -> isMariaDb;
      case "CACHE", "CHANGE", "CLONE", "IMPORT" -> !isMariaDb;
      case "LOAD" -> !isMariaDb && tokens.isWord(1, "INDEX");
      case "START", "STOP" ->
          !isMariaDb && (tokens.isWord(1, "REPLICA") || tokens.isWord(1, "SLAVE"));
      default -> false;
    };
  }

  /**
   * Commits in front of the statement. What a database cannot parse commits nothing: it is asked
   * before, within the transaction. Blocks.
   *
   * @throws ShardException.Database the syntax error; the transaction goes on
   * @throws RuntimeException if the transaction could not be committed
   */
  public static void run(CurrentStatement statement, Session session) {
    if (!statement.command().isPrepared()) {
      ShardException.Database error =
          SyntaxProbe.error(statement.text().sql(), statement.target().chosen(), session);
      if (error != null) {
        throw error;
      }
    }
    session.transaction().commitBeforeDdl();
  }

  /** Whether the statement may change tables, so that plans and descriptions are out of date. */
  public static boolean changesTables(StatementKind kind) {
    return switch (kind) {
      case CREATE, ALTER, DROP, RENAME, TRUNCATE -> true;
      default -> false;
    };
  }
}
