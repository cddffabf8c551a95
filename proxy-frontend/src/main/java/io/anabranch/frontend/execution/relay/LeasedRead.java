package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.row.RowCap;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.response.ClientRows;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What the relay lane does with connections whose channel cannot be seen, and where the relay is
 * switched off: a virtual thread reads the answer, and the client gets it as the relay would give
 * it.
 */
final class LeasedRead {

  private final Session session;
  private final CurrentStatement statement;
  private final RelayLane lane;
  private final Cursors cursors;
  private final StatementCourse course;

  LeasedRead(
      Session session,
      CurrentStatement statement,
      RelayLane lane,
      Cursors cursors,
      StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.lane = lane;
    this.cursors = cursors;
    this.course = course;
  }

  void read(Lease given, RelayCommand command, String endpoint) {
    ShardQuery wanted = query(command, endpoint);
    StatementKind kind = statement.scan().kind();
    boolean isListed = statement.command().listed() != null;
    boolean isBulk = statement.command().bulk() != null;
    if (isListed || isBulk || RelayLane.needsRelay(kind)) {
      String what =
          isListed
              ? "COM_FIELD_LIST"
              : isBulk ? "COM_STMT_BULK_EXECUTE" : kind.name().replace('_', ' ');
      lane.unused(
          given,
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              what + " on data source " + endpoint, "connect it without TLS in the driver"));
      return;
    }
    statement.target().lane(Lane.MERGE);
    var run =
        new LeasedQuery(
            given,
            lane.begins(given),
            wanted,
            statement.values().parameters(),
            statement.command().isExecuted(),
            statement.target().names(),
            counting());
    ClientRows rows = cursors.newRows(statement.command());
    session.background().execute(() -> run(run, rows));
  }

  private static ShardQuery query(RelayCommand what, String endpoint) {
    return switch (what) {
      case RelayCommand.Query(byte[] sql, ResponseForm _) -> ShardQuery.text(endpoint, sql);
      case RelayCommand.Execute execute -> execute.query();
      case RelayCommand.Bulk bulk -> bulk.query();
      case RelayCommand.Open open -> open.query();
      case RelayCommand.Fetch _ -> throw new IllegalStateException("a cursor that nobody opened");
      case RelayCommand.Packet(ByteBuf payload, ResponseForm _) -> {
        byte[] sql = new byte[payload.readableBytes() - 1];
        payload.getBytes(payload.readerIndex() + 1, sql);
        payload.release();
        yield ShardQuery.text(endpoint, sql);
      }
    };
  }

  private LeasedQuery.@Nullable Capped counting() {
    RowCap cap = statement.ruling().cap();
    return cap == null
        ? null
        : new LeasedQuery.Capped(
            cap.counting(), refusal -> session.loop().execute(() -> lane.exceeded(refusal)));
  }

  /** On a virtual thread. */
  private void run(LeasedQuery run, ClientRows rows) {
    Runnable end;
    try {
      LeasedQuery.Ending ending = run.run(rows, session.status());
      end =
          () -> {
            Cursors.opened(statement.command().prepared(), rows);
            statement.relayed().cursor(null);
            ended(ending);
          };
    } catch (Throwable t) {
      end = () -> lane.broken(run.lease(), t);
    } finally {
      rows.close();
    }
    Runnable last = end;
    session
        .loop()
        .execute(
            () -> {
              session.sink().sequence(rows.sequence());
              course.step(last);
            });
  }

  /** The relay has told OK and errors by the time it calls; so here first. */
  private void ended(LeasedQuery.Ending ending) {
    RelayOutcome outcome = told(withGeneratedKey(ending.outcome()));
    switch (outcome) {
      case RelayOutcome.Done answer -> {
        if (answer.affectedRows() >= 0) {
          session
              .replies()
              .ok(
                  answer.affectedRows(),
                  answer.lastInsertId(),
                  session.status(),
                  answer.warnings(),
                  ending.info());
        }
      }
      case RelayOutcome.Failed(int errno, String state, String message, boolean _, long _) ->
          session
              .replies()
              .error(new ErrPacket(errno, state, message), session.settings().resultCharset());
      case RelayOutcome.Lost _, RelayOutcome.Unreached _, RelayOutcome.Kept _ -> {}
    }
    lane.completed(outcome);
  }

  /** As the relay does it. */
  private RelayOutcome told(RelayOutcome outcome) {
    if (!(outcome instanceof RelayOutcome.Failed failed)) {
      return outcome;
    }
    ErrPacket error =
        session.sink().told(new ErrPacket(failed.errno(), failed.sqlState(), failed.message()));
    return new RelayOutcome.Failed(
        error.errno(), error.sqlState(), error.message(), failed.inPrologue());
  }

  /** As the relay does it. */
  private RelayOutcome withGeneratedKey(RelayOutcome outcome) {
    return outcome
            instanceof
            RelayOutcome.Done(int status, long rows, long id, int warnings, long last, long sent)
        ? new RelayOutcome.Done(
            status, rows, statement.target().key().told(rows, id), warnings, last, sent)
        : outcome;
  }
}
