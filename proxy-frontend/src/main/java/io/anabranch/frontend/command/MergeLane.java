package io.anabranch.frontend.command;

import io.anabranch.backend.execute.Cancellation;
import io.anabranch.backend.execute.MergeOutcome;
import io.anabranch.backend.execute.MergeRequest;
import io.anabranch.frontend.response.ClientRows;
import io.anabranch.frontend.response.SentFile;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener.Lane;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the current statement on several data sources: a virtual thread walks its plan. */
final class MergeLane {

  private static final Logger sqlLog = LoggerFactory.getLogger("io.anabranch.sql");

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final Cursors cursors;
  private final StatementCourse course;
  private final MergeMembers members;

  MergeLane(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      Cursors cursors,
      StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.cursors = cursors;
    this.course = course;
    this.members = new MergeMembers(session);
  }

  void run(PlanNode root) {
    statement.lane = Lane.MERGE;
    if (statement.showsSql()) {
      PlanPrinter.queries(root)
          .forEach(each -> sqlLog.info("{}: {} <- {}", session, each.dataSource(), each.sqlText()));
    }
    Backend on = statement.targetBackend();
    session.target(on);
    var cancellation = new Cancellation();
    interruption.runs(cancellation);
    var file = new SentFile(session.sink());
    ClientRows rows = cursors.newRows(statement.wantsCursor);
    var request =
        new MergeRequest(
            root,
            statement.parameters,
            statement.prepared != null,
            statement.names,
            session
                .transaction()
                .leases(
                    endpoint -> members.of(on, endpoint, statement.access),
                    statement.access,
                    session.settings()),
            cancellation,
            file);
    session.background().execute(() -> walk(request, rows, file));
  }

  /** On a virtual thread. */
  private void walk(MergeRequest request, ClientRows rows, SentFile file) {
    Runnable end;
    try {
      MergeOutcome outcome = session.deployment().walker().run(request, rows);
      if (outcome instanceof MergeOutcome.Rows counted) {
        rows.end(session.status(), counted.warnings());
      }
      end =
          () -> {
            Cursors.opened(statement.prepared, rows);
            merged(outcome);
          };
    } catch (Throwable t) {
      end = () -> course.fail(t);
    } finally {
      rows.close();
      file.close();
    }
    Runnable last = end;
    session
        .loop()
        .execute(
            () -> {
              session.sink().sequence(file.isOpened() ? file.sequence() : rows.sequence());
              course.step(last);
            });
  }

  private void merged(MergeOutcome outcome) {
    switch (outcome) {
      case MergeOutcome.Rows rows -> {
        session.diagnostics().rows(rows.rows(), rows.warnings());
        session.diagnostics().warningRows(rows.warningRows());
      }
      case MergeOutcome.Done answer -> {
        boolean keepsId = statement.generatedKey == 0 || answer.affectedRows() == 0;
        long insertId = keepsId ? answer.lastInsertId() : statement.generatedKey;
        session.diagnostics().done(answer.affectedRows(), insertId, answer.warnings());
        session.diagnostics().warningRows(answer.warningRows());
        session
            .replies()
            .ok(
                answer.affectedRows(),
                insertId,
                session.status(),
                answer.warnings(),
                answer.info());
      }
    }
    course.succeeded();
  }
}
