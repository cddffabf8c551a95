package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.relay.RelayOutcome;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;

/** Keeps for the session what a statement of the relay lane leaves behind. */
final class Remains {

  private final Session session;
  private final CurrentStatement statement;
  private final StatementCourse course;

  Remains(Session session, CurrentStatement statement, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.course = course;
  }

  /** What the answer itself tells. */
  void remember(RelayOutcome.Done answer) {
    if (answer.affectedRows() < 0) {
      session.diagnostics().rows(answer.rows(), answer.warnings());
      session.diagnostics().inserted(answer.rows() > 0 ? statement.generatedKey : 0);
    } else {
      session.diagnostics().done(answer.affectedRows(), answer.lastInsertId(), answer.warnings());
    }
  }

  /**
   * What the connection must be asked for, before it goes: questions may come when another session
   * has it. Ends the statement.
   */
  void read(Lease used, RelayOutcome.Done answer, Aftermath left) {
    NameMapping mapping = statement.names;
    course.blocking(
        () -> {
          try {
            // first, because SHOW WARNINGS counts as rows found, and this keeps the warnings
            Runnable keep = left.read(used, session);
            List<List<String>> rows =
                answer.warnings() > 0
                    ? WarningRows.read(used, mapping, session.charset())
                    : List.of();
            return () -> {
              keep.run();
              session.diagnostics().warningRows(rows);
              session.transaction().completed(used, answer.statusFlags());
              course.succeeded();
            };
          } catch (RuntimeException e) {
            return () -> {
              if (!left.isEmpty()) {
                // without what the statement left, later answers would be wrong
                course.closeAfterwards();
              }
              session
                  .transaction()
                  .lost(used, "reading what the statement left failed: " + e.getMessage());
              course.succeeded();
            };
          }
        });
  }
}
