package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the client prepared under another character set, collation or {@code sql_mode}
 * than it executes it: a connection is given those once more to prepare the statement, so that its
 * text means what it meant. What is due there goes first: it may be USE of another database. On the
 * session's event loop.
 */
final class EarlyPreparation {

  private final Session session;
  private final RelayLane lane;
  private final StatementCourse course;

  EarlyPreparation(Session session, RelayLane lane, StatementCourse course) {
    this.session = session;
    this.lane = lane;
    this.course = course;
  }

  /**
   * @param reading under which it was prepared
   * @param values of the execution
   * @param then runs when the statement is prepared
   */
  void prepare(
      Lease given,
      ShardQuery query,
      ExecuteParameters values,
      SessionSettings reading,
      Runnable then) {
    SessionSettings former = session.settings().readingAs(reading);
    List<byte[]> due = session.connections().dueBefore(given, former);
    given.applied(former);
    session
        .deployment()
        .relay()
        .prepare(
            given,
            due,
            query,
            values,
            (_, failure) -> course.step(() -> prepared(given, former, failure, then)));
  }

  private void prepared(
      Lease given, SessionSettings former, @Nullable RelayOutcome failure, Runnable then) {
    switch (failure) {
      case null -> {
        session.connections().prologueSent(given, former);
        then.run();
      }
      case RelayOutcome.Failed(int errno, String state, String message, boolean inPrologue, _)
          when !inPrologue -> {
        session.connections().prologueSent(given, former);
        lane.refused(given, new ErrPacket(errno, state, message));
      }
      case RelayOutcome.Failed(int errno, String state, String message, boolean _, _) ->
          lane.notReplayed(given, new ErrPacket(errno, state, message));
      case RelayOutcome other -> lane.broken(given, new IllegalStateException(other.toString()));
    }
  }
}
