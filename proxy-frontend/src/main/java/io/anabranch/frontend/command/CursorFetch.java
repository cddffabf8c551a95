package io.anabranch.frontend.command;

import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.execution.relay.RelayLane;
import io.anabranch.frontend.response.KeptRows;
import io.anabranch.frontend.response.MergedRows;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import java.nio.charset.Charset;

/**
 * COM_STMT_FETCH: the next rows of a cursor, from where they are, which is the database's own
 * cursor or rows that the proxy keeps.
 */
final class CursorFetch {

  private final Session session;
  private final RelayLane relayLane;
  private final Cursors cursors;
  private final ExecutedStatement executed;
  private final StatementCourse course;

  CursorFetch(
      Session session,
      ExecutedStatement executed,
      RelayLane relayLane,
      Cursors cursors,
      StatementCourse course) {
    this.session = session;
    this.executed = executed;
    this.relayLane = relayLane;
    this.cursors = cursors;
    this.course = course;
  }

  /**
   * @param most rows, unsigned 32 bits
   */
  void run(PreparedStatement which, OpenCursor from, long most) {
    switch (from) {
      case OpenCursor.InDatabase inDatabase -> course.step(() -> relayLane.fetch(inDatabase, most));
      case OpenCursor.InProxy(KeptRows kept) -> send(which, kept, most);
    }
  }

  private void send(PreparedStatement which, KeptRows kept, long most) {
    Charset results = session.settings().resultCharset();
    var rows = new MergedRows(session.sink(), results, session.status(), session.memory());
    int status = session.status();
    course.blocking(
        () -> {
          boolean isOpen;
          try {
            isOpen = Cursors.send(kept, most, rows, status);
          } finally {
            rows.close();
          }
          return () -> {
            session.sink().sequence(rows.sequence());
            executed.sent(rows.rowsSent());
            cursors.fetched(which, isOpen);
            course.succeeded();
          };
        });
  }
}
