package io.anabranch.frontend.execution;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Ruling.Mirrored;
import io.anabranch.frontend.mirror.MirroredStatement;
import io.anabranch.frontend.mirror.Mirrors;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import org.jspecify.annotations.Nullable;

/**
 * Sends the current statement to a second data source, once it has succeeded, where a rule says so.
 * On the session's event loop.
 */
public final class Mirroring {

  private final Session session;
  private final CurrentStatement statement;
  private final Mirrors mirrors;

  /**
   * @param mirrors of the proxy
   */
  public Mirroring(Session session, CurrentStatement statement, Mirrors mirrors) {
    this.session = session;
    this.statement = statement;
    this.mirrors = mirrors;
  }

  /**
   * What rules want, if it can be: the mirror has nothing of a transaction, nor of what the
   * session's connections have beside their settings.
   */
  static @Nullable Mirrored mayBe(
      @Nullable Mirrored wanted, Session session, CurrentStatement statement, StatementPlan plan) {
    boolean is =
        wanted != null
            && session.connections().areApart()
            && (isRead(statement.scan(), plan)
                || (wanted.to().writes() && isWrite(statement.scan())));
    return is ? wanted : null;
  }

  /**
   * Whether it changes nothing, wherever it runs, and needs nothing that its session's connections
   * have.
   */
  public static boolean isRead(Scan scan, StatementPlan plan) {
    return switch (scan.kind()) {
      case SELECT, QUERY_EXPRESSION ->
          plan.access() == Access.READ
              && !scan.mayLock()
              && !scan.hasUserVariable()
              && !scan.mentionsSequence()
              && !scan.mentionsOwnSchema();
      default -> false;
    };
  }

  private static boolean isWrite(Scan scan) {
    return switch (scan.kind()) {
      case INSERT, REPLACE, UPDATE, DELETE -> !scan.hasUserVariable();
      default -> false;
    };
  }

  /** The statement has ended; what its session is changing is not over. */
  public void ended(int errno) {
    Mirrored mirrored = statement.ruling().mirrored();
    if (mirrored == null || errno != 0) {
      return;
    }
    ExecuteParameters parameters = statement.command().parameters();
    String database = mirrored.to().database();
    Backend on =
        database == null ? statement.target().chosen() : session.deployment().backend(database);
    if (on == null || statement.command().bulk() != null || parameters.hasLongValues()) {
      mirrored.count().mirrorDropped();
      return;
    }
    boolean isRead = isReadKind();
    mirrors.send(
        mirrored.by().name(),
        mirrored.to().writes(),
        new MirroredStatement(
            on.desk(),
            on.topology(),
            mirrored.to().dataSource(),
            isRead ? Access.READ : Access.WRITE,
            session.settings(),
            session.loop(),
            statement.text().sql(),
            parameters,
            statement.scan().parameterCount(),
            statement.command().isExecuted(),
            isRead ? () -> {} : session.writes().elsewhere()),
        mirrored.count(),
        session.background());
  }

  private boolean isReadKind() {
    return switch (statement.scan().kind()) {
      case SELECT, QUERY_EXPRESSION -> true;
      default -> false;
    };
  }
}
