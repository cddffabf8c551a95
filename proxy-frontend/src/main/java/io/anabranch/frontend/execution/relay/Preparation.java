package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.column.NameRewriter;
import io.anabranch.backend.relay.command.PreparedShape;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.transaction.ConnectionPins;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.ReceivedCommand;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.effect.AssignedVariables;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.answer.AnswerColumns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * COM_STMT_PREPARE of a planned statement: asks a database for the result's columns, where the plan
 * does not know them.
 */
public final class Preparation {

  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final CurrentStatement statement;
  private final RelayLane lane;
  private final StatementCourse course;

  public Preparation(
      Session session, CurrentStatement statement, RelayLane lane, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.lane = lane;
    this.course = course;
  }

  public void describe(BoundPlan bound) {
    switch (bound) {
      case BoundPlan.AsIs asIs ->
          describe(
              new PreparedStatement(0, statement.text().sql(), statement.scan().parameterCount())
                  .unchanged(asIs.dataSource()));
      case BoundPlan.Single single -> describe(single.query());
      case BoundPlan.Merged merged ->
          answer(
              AnswerColumns.of(merged.root()),
              AssignedVariables.isWarnedOf(session, merged.root()) ? 1 : 0);
    }
  }

  private void describe(ShardQuery of) {
    String endpoint = of.dataSource();
    lane.find(endpoint, (member, _) -> describe(member.name(), of));
  }

  private void describe(String member, ShardQuery of) {
    session.database().target(statement.target().chosen());
    session.connections().usesNoTables();
    session
        .connections()
        .lease(
            member,
            statement.target().access(),
            (given, refusal) ->
                course.step(
                    () -> {
                      if (given == null) {
                        throw refusal == null
                            ? ErrorCatalogue.BACKEND_LOST.refuse(member)
                            : refusal;
                      }
                      describe(given, of);
                    }));
  }

  private void describe(Lease given, ShardQuery of) {
    List<byte[]> prologue = lane.prologue(given);
    if (lane.isRead(given)) {
      var run = new LeasedQuery(given, prologue, of, ExecuteParameters.NONE, false, NO_NAMES, null);
      course.blocking(
          () -> {
            LeasedQuery.Description answer = run.describe();
            var shape = new PreparedShape(List.of(), answer.columns(), 0);
            boolean isGood = answer.failure() == null;
            return () -> described(given, isGood ? shape : null, answer.failure());
          });
      return;
    }
    if (mayHaveOwnTables()) {
      session.deployment().relay().tablesChanged(given);
    }
    session
        .deployment()
        .relay()
        .prepare(
            given,
            prologue,
            of,
            (shape, failure) ->
                course.step(
                    () ->
                        described(
                            given,
                            shape == null ? null : shape.in(session.settings().resultCharset()),
                            failure)));
  }

  /** Whether tables may have come and gone that only the session sees. */
  private boolean mayHaveOwnTables() {
    ConnectionPins pins = session.connections().pins();
    return pins.any(Pin.TEMPORARY_TABLE) || pins.any(Pin.OTHER);
  }

  private void described(
      Lease given, @Nullable PreparedShape shape, @Nullable RelayOutcome failure) {
    if (shape != null) {
      session.connections().prologueSent(given, session.settings());
      session.connections().prepared(given);
      String actual = given.shard().database();
      answer(
          ResultShape.logical(shape.columns(), statement.target().names(), actual),
          shape.warnings());
    } else if (failure instanceof RelayOutcome.Failed refused && !refused.inPrologue()) {
      session.connections().prologueSent(given, session.settings());
      session.connections().failed(given, refused.errno());
      NameRewriter names = NameRewriter.of(statement.target().names(), given.shard().database());
      String said = names == null ? refused.message() : names.rename(refused.message());
      course.fail(new ErrPacket(refused.errno(), refused.sqlState(), said));
    } else {
      course.fail(session.connections().lost(given, String.valueOf(failure)));
    }
  }

  /** Tells the client the columns; without any, the statement's answer will be OK. */
  public void answer(List<ResultColumn> columns, int warnings) {
    ReceivedCommand.PrepareReply reply = statement.command().prepareReply();
    if (reply != null) {
      reply.prepared(columns, statement.scan().parameterCount(), warnings);
    }
    course.succeeded();
  }
}
