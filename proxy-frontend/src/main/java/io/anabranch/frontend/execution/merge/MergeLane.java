package io.anabranch.frontend.execution.merge;

import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.HeadStart;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.QueryTimes;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.row.CappedRows;
import io.anabranch.backend.row.RowCap;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.current.SyntaxProbe;
import io.anabranch.frontend.effect.AssignedVariables;
import io.anabranch.frontend.effect.InsertId;
import io.anabranch.frontend.effect.OwnTables;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.effect.Remains;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.response.ClientRows;
import io.anabranch.frontend.response.SentFile;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.frontend.statement.DeprecatedSyntax;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.DefinitionReview;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the current statement on several data sources: a virtual thread walks its plan. */
public final class MergeLane {

  private static final Logger log = LoggerFactory.getLogger(MergeLane.class);
  private static final Logger sqlLog = LoggerFactory.getLogger("io.anabranch.sql");

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final Cursors cursors;
  private final StatementCourse course;

  public MergeLane(
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
  }

  public void run(PlanNode planned) {
    SafeUpdates.require(planned, session.settings());
    PlanNode root = SelectLimit.in(planned, statement, session.settings());
    statement.target().lane(Lane.MERGE);
    if (statement.showsSql()) {
      PlanPrinter.queries(root)
          .forEach(
              each ->
                  sqlLog.info(
                      "{}: {} <- {}",
                      session,
                      each.dataSource(),
                      statement.forLog(each.sqlText())));
    }
    Backend on = statement.target().chosen();
    statement.executed().on(PlanPrinter.dataSources(root));
    session.database().target(on);
    var cancellation = new Cancellation();
    interruption.runs(cancellation);
    var file = new SentFile(session.sink(), session.memory());
    ClientRows rows = cursors.newRows(statement.command());
    var members =
        new MergeMembers(
            session,
            on,
            statement.target().access(),
            statement.ruling().ignoresWrites(),
            statement.attempts().primaryOnly());
    if (statement.scan().kind() == StatementKind.SHOW) {
      session.connections().usesNoTables();
    }
    var times = new QueryTimes();
    statement.executed().merges(times, PlanPrinter.strategy(root));
    Supplier<MergeRequest> request = () -> request(root, members, cancellation, file, times);
    if (!mayBegin(root, on)) {
      session.background().execute(() -> walk(root, null, request, members, rows, file));
      return;
    }
    var ahead = new HeadStart(request.get());
    ahead.begin(
        () -> session.background().execute(() -> walk(root, ahead, request, members, rows, file)));
  }

  /** Whether nothing has to be waited for that decides where the plan's queries run, and if. */
  private boolean mayBegin(PlanNode root, Backend on) {
    if (statement.target().access() != Access.READ) {
      return false;
    }
    for (ShardQuery query : PlanPrinter.queries(root)) {
      if (on.topology().reads(query.dataSource()) != null) {
        return false;
      }
    }
    return ProgramEffects.areHarmless(root, statement, session);
  }

  /** One attempt's: its connections are its own. */
  private MergeRequest request(
      PlanNode root,
      MergeMembers members,
      Cancellation cancellation,
      SentFile file,
      QueryTimes times) {
    SessionSettings settings = session.settings();
    StatementLeases leases =
        session.connections().leases(members::of, statement.target().access(), settings);
    SelectLimit.lift(leases, settings);
    return new MergeRequest(
        root,
        statement.values().parameters(),
        statement.command().isExecuted(),
        statement.target().names(),
        leases,
        cancellation,
        file,
        ProgramEffects.untold(statement.target().chosen().programs()),
        null,
        StatementMemory.of(session.memory()),
        session.user().name(),
        false,
        times);
  }

  /** On a virtual thread. */
  private void walk(
      PlanNode root,
      @Nullable HeadStart ahead,
      Supplier<MergeRequest> request,
      MergeMembers members,
      ClientRows rows,
      SentFile file) {
    Runnable end;
    try {
      MergeOutcome outcome = null;
      Long insertId = null;
      if (ahead == null) {
        ProgramEffects.refuseLocks(root, statement.target().chosen().programs());
        insertId =
            ProgramEffects.mayAskInsertId(root, statement)
                ? Long.valueOf(session.diagnostics().lastInsertId())
                : null;
      } else {
        outcome = attempt(ahead, members, rows, file);
      }
      while (outcome == null) {
        outcome = attempt(new HeadStart(request.get().with(insertId)), members, rows, file);
      }
      outcome = withDeprecation(reviewed(outcome));
      MergeOutcome last = outcome;
      Runnable keepTables = ownTables(root, request);
      switch (outcome) {
        case MergeOutcome.Rows counted -> rows.end(session.status(), counted.warnings());
        case MergeOutcome.Returned returned ->
            rows.end(session.status(), returned.done().warnings());
        case MergeOutcome.Done _ -> {}
        case MergeOutcome.Assigned assigned -> AssignedVariables.set(session, root, assigned);
      }
      end =
          () -> {
            keepTables.run();
            Cursors.opened(statement.command().prepared(), rows);
            merged(root, last);
          };
    } catch (Throwable t) {
      forgetOutdated(t);
      Throwable told = ofItsOwnText(t);
      end = () -> course.fail(told);
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
              statement.executed().sent(rows.rowsSent());
              course.step(last);
            });
  }

  /** No database is shown the word. */
  private MergeOutcome withDeprecation(MergeOutcome outcome) {
    boolean mayBe = statement.command().prepared() == null && !session.deployment().isMariaDb();
    return mayBe && outcome instanceof MergeOutcome.Rows rows && rows.found() >= 0
        ? rows.warnedBefore(DeprecatedSyntax.SQL_CALC_FOUND_ROWS.warning())
        : outcome;
  }

  /** What is wrong with a text is said of the client's, not of those that were made of it. */
  private Throwable ofItsOwnText(Throwable failure) {
    boolean isOfText =
        failure instanceof ShardException.Database database
            && database.errno() == ErrorCatalogue.SYNTAX.errno();
    if (!isOfText) {
      return failure;
    }
    try {
      ShardException.Database own =
          SyntaxProbe.error(statement.text().sql(), statement.target().chosen(), session);
      return own == null ? failure : own;
    } catch (RuntimeException unreachable) {
      return failure;
    }
  }

  /** Asks the connection that has got a temporary table what it is. */
  private Runnable ownTables(PlanNode root, Supplier<MergeRequest> request) {
    if (!(root instanceof PlanNode.Creation creation) || !creation.isTemporary()) {
      return () -> {};
    }
    String endpoint = creation.tables().getFirst().dataSource();
    String name = TemporaryTables.created(statement.source());
    StatementLeases leases = request.get().leases();
    Lease lease = leases.ready(endpoint);
    try {
      TemporaryTables tables = new OwnTables(endpoint, name).read(lease, session);
      leases.completed(lease, OwnTables.status(lease));
      return () -> session.database().temporaries(tables);
    } catch (RuntimeException e) {
      throw leases.lost(lease, "reading what the statement left failed: " + e.getMessage());
    }
  }

  /** Tables that are not what they were planned as are looked at anew by the next statement. */
  private void forgetOutdated(Throwable failure) {
    if (failure instanceof RefusedException refused
        && refused.is(ErrorCatalogue.DEFINITIONS_DIFFER)) {
      session.deployment().forgetTables(List.of(statement.target().chosen()), null);
    }
  }

  /** What a definition has left is looked at before anybody hears that it is done. */
  private MergeOutcome reviewed(MergeOutcome outcome) {
    StatementPlan plan = statement.target().plan();
    DefinitionReview review = plan == null ? null : plan.review();
    if (review == null || !(outcome instanceof MergeOutcome.Done done)) {
      return outcome;
    }
    List<List<String>> warnings = review.warnings();
    for (List<String> warning : warnings) {
      log.warn("{}: {}", session, warning.getLast());
    }
    return done.warnedAlso(warnings);
  }

  /**
   * @return null if it failed without a trace, and may do better on other members
   */
  private @Nullable MergeOutcome attempt(
      HeadStart ahead, MergeMembers members, ClientRows rows, SentFile file) {
    try (var _ = ahead.request().memory()) {
      MergeOutcome outcome = session.deployment().walker().run(ahead, capped(rows));
      members.succeeded();
      return outcome;
    } catch (RuntimeException failure) {
      boolean isHidden =
          ahead.request().cancellation().reason() == null && !file.isOpened() && rows.takeBack();
      if (members.failed(failure) && isHidden) {
        return null;
      }
      throw failure;
    }
  }

  private RowSink capped(ClientRows rows) {
    RowCap cap = statement.ruling().cap();
    return cap == null ? rows : new CappedRows(rows, cap);
  }

  private void merged(PlanNode root, MergeOutcome outcome) {
    switch (outcome) {
      case MergeOutcome.Rows rows -> {
        Remains.rows(session, statement, rows.rows(), rows.warnings());
        if (rows.found() >= 0) {
          session.diagnostics().foundRows(rows.found());
        }
        session.diagnostics().warningRowsOfSeveral(rows.warnings(), rows.warningRows());
      }
      case MergeOutcome.Returned returned -> {
        MergeOutcome.Done answer = returned.done();
        statement.executed().changed(answer.affectedRows());
        InsertId id = InsertId.of(statement, answer, returned.rows());
        session.diagnostics().returned(id.last(), answer.warnings());
        session.diagnostics().warningRowsOfSeveral(answer.warnings(), answer.warningRows());
      }
      case MergeOutcome.Assigned assigned ->
          AssignedVariables.answer(session, statement, root, assigned);
      case MergeOutcome.Done answer -> {
        statement.executed().changed(answer.affectedRows());
        if (root instanceof PlanNode.Lock lock) {
          session.database().locks(lock.tables());
        }
        if (root instanceof PlanNode.Write write && write.locked() != null) {
          session.database().locks(write.locked());
        }
        InsertId id = InsertId.of(statement, answer, answer.affectedRows());
        session.diagnostics().done(answer.affectedRows(), id.last(), answer.warnings());
        session.diagnostics().warningRowsOfSeveral(answer.warnings(), answer.warningRows());
        // servers tell keys of LOAD DATA by LAST_INSERT_ID() alone
        boolean loads = statement.scan().kind() == StatementKind.LOAD_DATA;
        session
            .replies()
            .ok(
                answer.affectedRows(),
                loads ? 0 : id.told(),
                session.status(),
                answer.warnings(),
                answer.info());
      }
    }
    course.succeeded();
  }
}
