package io.anabranch.protocol.message;

import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Tells what each packet of a server's response is. The first byte alone does not: 0x00 may be OK,
 * a prepared statement, a binary row or a text row that starts with an empty string; 0xFE an EOF,
 * an OK, or a row whose first cell has 16 MiB.
 *
 * <pre>{@code
 * state.expect(Response.TEXT);
 * Kind kind = state.kind(firstByte, length);      // may be asked again, changes nothing
 * state.accept(kind, kind.isRead() ? payload : null);
 * if (state.isDone()) ...
 * }</pre>
 *
 * <p><b>The 0xFE ambiguity.</b> In a text row 0xFE starts a cell of 2^24 bytes or more, so the row
 * fills at least one packet of maximum length: 0xFE in a packet of less than 0xFFFFFF bytes ends
 * the rows. An EOF packet has 5 bytes; the older rule "less than 9" suffices for it, but the OK
 * packet of DEPRECATE_EOF may be long (session state). Binary rows start with 0x00 and are never in
 * doubt. ERR (0xFF) never is: no length starts with 0xFF.
 *
 * <p>One state per connection; used by one thread at a time.
 */
public final class ResultSetState {

  /** What the command is answered with. */
  public enum Response {
    /** COM_QUERY: OK, ERR, LOCAL INFILE or results in text rows. */
    TEXT,
    /** COM_STMT_EXECUTE: OK, ERR or results in binary rows. */
    BINARY,
    /** The same of one that asks for a cursor: rows may be fetched later. */
    CURSOR,
    /** COM_STMT_PREPARE: ERR, or an answer with parameter and column definitions. */
    PREPARE,
    /** COM_STMT_FETCH: binary rows without definitions. */
    FETCH,
    /** COM_FIELD_LIST: definitions without a count. */
    FIELD_LIST,
    /** OK or ERR: COM_PING, COM_INIT_DB, COM_RESET_CONNECTION, COM_STMT_RESET, …. */
    SIMPLE
  }

  /** What a packet is. */
  public enum Kind {
    OK,
    /** The end of the answer. MariaDB's progress reports, which look alike, are never asked for. */
    ERR,
    LOCAL_INFILE,
    COLUMN_COUNT,
    COLUMN_DEFINITION,
    /** EOF after column definitions. */
    COLUMNS_END,
    ROW,
    /** EOF, or OK as EOF, after rows. */
    ROWS_END,
    PREPARE_OK,
    PARAMETER_DEFINITION,
    /** EOF after parameter definitions. */
    PARAMETERS_END;

    /** Whether {@link ResultSetState#accept} needs the payload. */
    public boolean isRead() {
      return switch (this) {
        case OK, COLUMN_COUNT, COLUMNS_END, ROWS_END, PREPARE_OK -> true;
        case ERR, LOCAL_INFILE, COLUMN_DEFINITION, ROW, PARAMETER_DEFINITION, PARAMETERS_END ->
            false;
      };
    }
  }

  private enum Expecting {
    ANSWER,
    PREPARE_ANSWER,
    SIMPLE_ANSWER,
    LISTED_DEFINITION,
    PARAMETER,
    PARAMETERS_END,
    PREPARED_COLUMN,
    PREPARED_COLUMNS_END,
    COLUMN,
    COLUMNS_END,
    ROW,
    NOTHING
  }

  private final long capabilities;
  private final boolean hasEof;
  private Expecting expecting = Expecting.NOTHING;
  private boolean binary;
  private boolean mayHaveCursor;
  private int definitionsLeft;
  private int preparedColumns;
  private int status;

  /**
   * @param capabilities in force between proxy and database
   */
  public ResultSetState(long capabilities) {
    this.capabilities = capabilities;
    this.hasEof = !Capability.has(capabilities, Capability.DEPRECATE_EOF);
  }

  /** A command was sent; its response comes next. */
  public void expect(Response response) {
    mayHaveCursor = response == Response.CURSOR;
    binary = response == Response.BINARY || response == Response.FETCH || mayHaveCursor;
    expecting =
        switch (response) {
          case TEXT, BINARY, CURSOR -> Expecting.ANSWER;
          case PREPARE -> Expecting.PREPARE_ANSWER;
          case FETCH -> Expecting.ROW;
          case FIELD_LIST -> Expecting.LISTED_DEFINITION;
          case SIMPLE -> Expecting.SIMPLE_ANSWER;
        };
  }

  /**
   * What the packet is that begins there. Changes nothing.
   *
   * @param packet a part of it has been seen that has its header
   * @throws ProtocolViolationException if the response is over, or no packet may look so
   * @throws IllegalStateException if the packet goes on with the one before: its bytes are a
   *     client's, whatever they look like
   */
  public Kind kind(PacketScanner packet) {
    if (!packet.isStart() || packet.isContinuation()) {
      throw new IllegalStateException("the rest of a packet is of no kind");
    }
    return kind(packet.firstByte(), packet.length());
  }

  /** The same of a whole message. */
  Kind kind(int firstByte, int length) {
    if (firstByte == ErrPacket.HEADER && expecting != Expecting.NOTHING) {
      return Kind.ERR;
    }
    return switch (expecting) {
      case ANSWER -> answer(firstByte);
      case SIMPLE_ANSWER -> simpleAnswer(firstByte);
      case PREPARE_ANSWER -> {
        require(firstByte == OkPacket.HEADER, "answer to COM_STMT_PREPARE", firstByte);
        yield Kind.PREPARE_OK;
      }
      case PARAMETER -> Kind.PARAMETER_DEFINITION;
      case PARAMETERS_END -> eof(Kind.PARAMETERS_END, firstByte, length);
      case PREPARED_COLUMN, COLUMN -> Kind.COLUMN_DEFINITION;
      case PREPARED_COLUMNS_END, COLUMNS_END -> eof(Kind.COLUMNS_END, firstByte, length);
      case LISTED_DEFINITION ->
          endsRows(firstByte, length) ? Kind.ROWS_END : Kind.COLUMN_DEFINITION;
      case ROW -> row(firstByte, length);
      case NOTHING ->
          throw ProtocolViolationException.malformed("a packet after the end of the response");
    };
  }

  /**
   * Whether a packet behind a row is certainly another one; all else is for {@link #kind}.
   *
   * @param firstByte of the payload
   * @param length of the payload
   */
  public boolean isRow(int firstByte, int length) {
    return length > 0
        && (binary ? firstByte == 0 : firstByte < EofPacket.HEADER)
        && expecting == Expecting.ROW;
  }

  private Kind answer(int firstByte) {
    return switch (firstByte) {
      case OkPacket.HEADER -> Kind.OK;
      case LocalInfileRequest.HEADER -> Kind.LOCAL_INFILE;
      case -1, EofPacket.HEADER ->
          throw ProtocolViolationException.malformed("answer that starts with " + firstByte);
      default -> Kind.COLUMN_COUNT;
    };
  }

  /** COM_SET_OPTION and COM_DEBUG are answered with EOF, or with OK as EOF. */
  private static Kind simpleAnswer(int firstByte) {
    require(
        firstByte == OkPacket.HEADER || firstByte == EofPacket.HEADER, "simple answer", firstByte);
    return firstByte == OkPacket.HEADER ? Kind.OK : Kind.ROWS_END;
  }

  private static Kind eof(Kind kind, int firstByte, int length) {
    require(firstByte == EofPacket.HEADER && length < EofPacket.LENGTH_LIMIT, "end", firstByte);
    return kind;
  }

  private Kind row(int firstByte, int length) {
    if (endsRows(firstByte, length)) {
      return Kind.ROWS_END;
    }
    require(!binary || firstByte == 0, "binary row", firstByte);
    require(firstByte != -1, "row", firstByte);
    return Kind.ROW;
  }

  private boolean endsRows(int firstByte, int length) {
    int limit = hasEof ? EofPacket.LENGTH_LIMIT : PacketWriter.MAX_PAYLOAD;
    return firstByte == EofPacket.HEADER && length < limit;
  }

  private static void require(boolean condition, String what, int firstByte) {
    if (!condition) {
      throw ProtocolViolationException.malformed(what + " that starts with " + firstByte);
    }
  }

  /**
   * Moves on over a packet of the kind that {@link #kind} gave.
   *
   * @param payload needed if {@link Kind#isRead}; its indices are not moved
   */
  public void accept(Kind kind, @Nullable ByteBuf payload) {
    switch (kind) {
      case ERR -> expecting = Expecting.NOTHING;
      case OK -> ended(OkPacket.decode(read(payload), capabilities).status());
      case ROWS_END -> ended(statusAtEnd(read(payload)));
      case LOCAL_INFILE, ROW -> {}
      case COLUMN_COUNT -> columns(ColumnCount.decode(read(payload), capabilities));
      case COLUMN_DEFINITION -> columnDefinition();
      case COLUMNS_END -> columnsEnd(EofPacket.decode(read(payload)));
      case PREPARE_OK -> prepared(PrepareOk.decode(read(payload)));
      case PARAMETER_DEFINITION -> {
        if (--definitionsLeft == 0) {
          expecting = hasEof ? Expecting.PARAMETERS_END : afterParameters();
        }
      }
      case PARAMETERS_END -> expecting = afterParameters();
    }
  }

  /** Moves on over the count and all definitions of a result at once: rows come next. */
  public void headRead() {
    expecting = Expecting.ROW;
  }

  private static ByteBuf read(@Nullable ByteBuf payload) {
    if (payload == null) {
      throw new IllegalArgumentException("this packet must be read");
    }
    return payload.slice();
  }

  /**
   * Moves on over OK or the end of rows, of which the caller has read the status.
   *
   * @param newStatus {@link ServerStatus}
   */
  public void ended(int newStatus) {
    status = newStatus;
    boolean more = (newStatus & ServerStatus.MORE_RESULTS_EXISTS) != 0;
    expecting = more ? Expecting.ANSWER : Expecting.NOTHING;
  }

  private int statusAtEnd(ByteBuf payload) {
    return hasEof
        ? EofPacket.decode(payload).status()
        : OkPacket.decode(payload, capabilities).status();
  }

  /** Moves on over the count of a result's columns. */
  public void columns(ColumnCount columns) {
    definitionsLeft = columns.count();
    if (columns.definitionsFollow()) {
      expecting = Expecting.COLUMN;
    } else {
      expecting = hasEof ? Expecting.COLUMNS_END : Expecting.ROW;
    }
  }

  private void columnDefinition() {
    if (expecting == Expecting.LISTED_DEFINITION || --definitionsLeft > 0) {
      return;
    }
    if (expecting == Expecting.COLUMN) {
      expecting = hasEof ? Expecting.COLUMNS_END : Expecting.ROW;
    } else {
      expecting = hasEof ? Expecting.PREPARED_COLUMNS_END : Expecting.NOTHING;
    }
  }

  private void columnsEnd(EofPacket packet) {
    status = packet.status();
    if (expecting == Expecting.PREPARED_COLUMNS_END || isFetchedLater(status)) {
      expecting = Expecting.NOTHING;
    } else {
      expecting = Expecting.ROW;
    }
  }

  /**
   * Whether the rows of a result stay in a cursor. The flag alone says nothing: MySQL leaves it on
   * where a procedure has opened a cursor of its own, in front of rows that follow.
   *
   * @param status of what stands behind the column definitions
   */
  public boolean isFetchedLater(int status) {
    return mayHaveCursor
        && (status & ServerStatus.CURSOR_EXISTS) != 0
        && (status & ServerStatus.MORE_RESULTS_EXISTS) == 0;
  }

  private void prepared(PrepareOk answer) {
    preparedColumns = answer.columns();
    definitionsLeft = answer.parameters();
    expecting = definitionsLeft > 0 ? Expecting.PARAMETER : afterParameters();
  }

  private Expecting afterParameters() {
    definitionsLeft = preparedColumns;
    return preparedColumns > 0 ? Expecting.PREPARED_COLUMN : Expecting.NOTHING;
  }

  /** Whether the response is complete, further results included. */
  public boolean isDone() {
    return expecting == Expecting.NOTHING;
  }

  /** {@link ServerStatus} of the latest packet that had one. */
  public int status() {
    return status;
  }

  /** Whether rows are binary ones. */
  public boolean isBinary() {
    return binary;
  }
}
