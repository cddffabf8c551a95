package io.anabranch.frontend.execution;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.ReceivedCommand;
import io.anabranch.frontend.response.ClientRows;
import io.anabranch.frontend.response.KeptRows;
import io.anabranch.frontend.response.MergedRows;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.type.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of a session's prepared statements: opened by COM_STMT_EXECUTE, read by
 * COM_STMT_FETCH, closed at their last row, by COM_STMT_RESET, COM_STMT_CLOSE and the next
 * execution. On the session's event loop but for the reading of rows that the proxy keeps.
 */
public final class Cursors {

  private final Session session;

  /** Its cursor is closed when the command has ended. */
  private @Nullable PreparedStatement atEnd;

  public Cursors(Session session) {
    this.session = session;
  }

  /** Where a statement's rows go that a virtual thread reads. */
  public ClientRows newRows(ReceivedCommand of) {
    return of.wantsCursor()
        ? new KeptRows(
            session.sink(),
            session.settings().resultCharset(),
            session.memory().charge(MemoryKind.HEAP, "the rows of a cursor"))
        : new MergedRows(
            session.sink(),
            session.settings().resultCharset(),
            session.status(),
            session.memory(),
            of.bindsVariables());
  }

  /** All rows have been read; they stay if they are a cursor's. */
  public static void opened(@Nullable PreparedStatement statement, ClientRows rows) {
    if (rows instanceof KeptRows kept && kept.isStarted() && statement != null) {
      statement.cursor(new OpenCursor.InProxy(kept));
    }
  }

  /**
   * A database has answered a statement for which a cursor was asked.
   *
   * @param isOpen whether there are rows to fetch
   */
  public void answered(
      PreparedStatement statement, Lease lease, RelayCursor cursor, boolean isOpen) {
    if (isOpen) {
      session.connections().pins().pin(lease, Pin.CURSOR);
      statement.cursor(new OpenCursor.InDatabase(lease, cursor));
    } else {
      session.deployment().relay().close(lease, cursor);
    }
  }

  /**
   * A database has answered COM_STMT_FETCH.
   *
   * @param isOpen whether rows may be left
   */
  public void fetched(PreparedStatement statement, boolean isOpen) {
    if (!isOpen) {
      atEnd = statement;
    }
  }

  /** The command has ended, and the connections that it used are free. */
  public void commandEnded() {
    PreparedStatement read = atEnd;
    if (read != null) {
      atEnd = null;
      close(read);
    }
  }

  /** Closes the statement's cursor, if there is one. No command runs. */
  public void close(PreparedStatement statement) {
    OpenCursor cursor = statement.cursor();
    statement.cursor(null);
    switch (cursor) {
      case null -> {}
      case OpenCursor.InDatabase(Lease lease, RelayCursor ofDatabase) -> {
        session.deployment().relay().close(lease, ofDatabase);
        if (!isUsed(lease)) {
          session.connections().pins().unpin(lease, Pin.CURSOR);
        }
      }
      case OpenCursor.InProxy(KeptRows rows) -> rows.discard();
    }
  }

  @SuppressWarnings("ReferenceEquality") // leases are told apart by identity
  private boolean isUsed(Lease lease) {
    for (PreparedStatement other : session.statements().all()) {
      if (other.cursor() instanceof OpenCursor.InDatabase(Lease of, RelayCursor _) && of == lease) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends rows that the proxy keeps. Blocks.
   *
   * @param most unsigned 32 bits
   * @return whether rows may be left
   */
  public static boolean send(KeptRows from, long most, MergedRows to, int status) {
    long sent = 0;
    byte[] row = null;
    while (sent < most && (row = from.next()) != null) {
      to.row(row);
      sent++;
    }
    boolean isOpen = sent == most;
    to.end(status | (isOpen ? ServerStatus.CURSOR_EXISTS : ServerStatus.LAST_ROW_SENT), 0);
    return isOpen;
  }
}
