package io.anabranch.frontend.command;

import io.anabranch.backend.execute.source.QueryTimes;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementTimes;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.rules.lexer.StatementKind;

/**
 * What metrics, digests and logs are told of a statement that has ended: kind, lane, error, and how
 * long it was planned, waited and ran.
 */
final class StatementReport {

  private final Session session;
  private final CurrentStatement statement;
  private final StatementListener listener;

  StatementReport(Session session, CurrentStatement statement, StatementListener listener) {
    this.session = session;
    this.statement = statement;
    this.listener = listener;
  }

  /**
   * @param errno 0: it succeeded
   * @param now when it ended, {@link System#nanoTime}
   */
  void ended(int errno, long now) {
    StatementTimes times = statement.times();
    long planning = times.planning(now);
    long leasing = times.leasing(now);
    long running = times.running(now);
    long writing = session.sink().takeWaited();
    ExecutedStatement executed = statement.executed();
    QueryTimes queries = executed.queries();
    if (queries != null) {
      leasing += queries.leaseNanos();
      running -= queries.leaseNanos();
    }
    StatementListener.Lane lane = statement.target().lane();
    listener.done(
        statement.prepares() ? StatementKind.PREPARE : statement.scan().kind(),
        lane,
        planning,
        leasing,
        running,
        errno);
    boolean isFetch = statement.command().fetches();
    if (isFetch || statement.isExecution()) {
      Backend on = statement.target().backend();
      PreparedStatement prepared = isFetch ? statement.command().prepared() : null;
      String database = prepared == null ? session.database().name() : prepared.database();
      executed.ended(
          statement.scan(),
          lane,
          on == null ? database : on.database().name(),
          planning,
          leasing,
          running,
          writing,
          now,
          errno);
      if (isFetch) {
        listener.fetched(executed);
      } else {
        listener.executed(executed);
      }
    }
  }
}
