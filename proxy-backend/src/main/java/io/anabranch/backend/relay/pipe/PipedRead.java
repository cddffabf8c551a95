package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.RelayCommand;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One statement that may share a connection. Its session is told once what became of it, or never
 * where it has withdrawn before. On the session's event loop.
 */
public final class PipedRead {

  private final LeaseDesk desk;
  private final LeaseDesk.Request request;
  private final SessionSettings settings;
  private final RelayCommand command;
  private final Reader reader;
  private @Nullable PipeRoom alone;
  private boolean over;
  private boolean late;
  private long since;
  private Sharing sharing = Sharing.of(0, false);

  /**
   * @param request what its own lease would be asked for with
   * @param settings that it needs
   * @param command a query, or an execution, of which the answer is rows
   */
  public PipedRead(
      LeaseDesk desk,
      LeaseDesk.Request request,
      SessionSettings settings,
      RelayCommand command,
      Reader reader) {
    this.desk = desk;
    this.request = request;
    this.settings = settings;
    this.command = command;
    this.reader = reader;
  }

  /** The session. Exactly one method is called, once; it may be before the read is entered. */
  public interface Reader {

    /**
     * The whole answer: rows, without warnings, and nothing that changed the connection.
     *
     * @param answer this statement's packets and no others; valid during the call
     * @param columns what the server has told of them, before or in this answer; null of a text
     * @param isLate it has kept others waiting
     * @param nanos behind the answer in front
     */
    void answered(
        BackendConnection from,
        ByteBuf answer,
        @Nullable ToldColumns columns,
        boolean isLate,
        long nanos);

    /** The statement is to be run on a connection of its own; nothing of it has been delivered. */
    void alone(Repeat why);

    /** There is no connection. */
    void refused(RuntimeException refusal);
  }

  /** Nobody wants the answer any more: it is thrown away. Nothing is told from then on. */
  public void withdraw() {
    over = true;
  }

  /** Where it has not entered. */
  void alone(PipeRoom room) {
    alone = room;
  }

  /** It has not entered, and has ended; may be called again. */
  public void ranAlone() {
    PipeRoom room = alone;
    alone = null;
    if (room != null) {
      room.loneEnded();
    }
  }

  /** Whether somebody still wants to be told. */
  boolean isWanted() {
    return !over;
  }

  LeaseDesk desk() {
    return desk;
  }

  LeaseDesk.Request request() {
    return request;
  }

  SessionSettings settings() {
    return settings;
  }

  RelayCommand command() {
    return command;
  }

  /** By the clock of the event loop. */
  long since() {
    return since;
  }

  /** How far it shares. */
  Sharing sharing() {
    return sharing;
  }

  /**
   * It enters.
   *
   * @param now by the clock of the event loop
   */
  void enters(long now, Sharing wanted) {
    since = now;
    sharing = wanted;
  }

  /** It keeps others waiting. */
  void late() {
    late = true;
  }

  void answered(BackendConnection from, ByteBuf answer, @Nullable ToldColumns columns, long nanos) {
    if (!over) {
      over = true;
      reader.answered(from, answer, columns, late, nanos);
    }
  }

  void alone(Repeat why) {
    if (!over) {
      over = true;
      reader.alone(why);
    }
  }

  void refused(RuntimeException refusal) {
    if (!over) {
      over = true;
      reader.refused(refusal);
    }
  }
}
