package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.backend.pool.SettingsReplay;
import io.anabranch.backend.relay.RelayOutcome;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the client prepared under another character set, collation or {@code sql_mode}
 * than it executes it: a connection is given those once more to prepare the statement, so that its
 * text means what it meant. On the session's event loop.
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
   * @param then runs when the statement is prepared
   */
  void prepare(Lease given, ShardQuery query, SessionSettings reading, Runnable then) {
    SessionSettings former = session.settings().readingAs(reading);
    List<byte[]> replay = SettingsReplay.difference(given, former);
    given.applied(former);
    session
        .deployment()
        .relay()
        .prepare(given, replay, query, (_, failure) -> prepared(given, failure, then));
  }

  private void prepared(Lease given, @Nullable RelayOutcome failure, Runnable then) {
    switch (failure) {
      case null -> course.step(then);
      case RelayOutcome.Failed(int errno, String state, String message, boolean inPrologue)
          when !inPrologue -> {
        lane.refused(given, new ErrPacket(errno, state, message));
      }
      case RelayOutcome other -> lane.broken(given, new IllegalStateException(other.toString()));
    }
  }
}
