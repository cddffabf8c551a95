package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Finds where one answer ends among those of a connection, and how: which bytes are whose depends
 * on this alone. What a server tells of columns once is kept here, whoever gets the answer.
 */
final class WholeAnswer {

  /** Flags that no plain read outside of a transaction has. */
  private static final int CHANGES =
      ServerStatus.IN_TRANS
          | ServerStatus.IN_TRANS_READONLY
          | ServerStatus.MORE_RESULTS_EXISTS
          | ServerStatus.CURSOR_EXISTS
          | ServerStatus.DB_DROPPED
          | ServerStatus.PS_OUT_PARAMS
          | ServerStatus.SESSION_STATE_CHANGED;

  /** How an answer ended. */
  enum End {
    /** More is to come. */
    NOT_YET,
    /** Rows, and nothing besides. */
    PLAIN,
    /** Rows, with warnings. */
    WARNED,
    /** An error. */
    FAILED,
    /** The connection is not what it was. */
    CHANGED
  }

  private final long capabilities;
  private final boolean hasEof;
  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private final boolean mayLeaveOut;
  private @Nullable ToldColumns told;

  WholeAnswer(long capabilities) {
    this.capabilities = capabilities;
    this.hasEof = !Capability.has(capabilities, Capability.DEPRECATE_EOF);
    this.mayLeaveOut = Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA);
    this.state = new ResultSetState(capabilities);
  }

  /**
   * Another answer begins.
   *
   * @param columns of the statement that is executed; null: it is a text
   */
  void next(@Nullable ToldColumns columns) {
    told = mayLeaveOut ? columns : null;
    state.expect(columns == null ? Response.TEXT : Response.BINARY);
  }

  /**
   * Moves the reader index over the whole packets of the answer that are there.
   *
   * @throws ProtocolViolationException if the bytes make no sense
   */
  End read(ByteBuf in) {
    while (scanner.peek(in) && scanner.isWhole(in)) {
      if (scanner.isContinuation()) {
        scanner.advance(in);
        continue;
      }
      Kind kind = state.kind(scanner);
      boolean isRead = kind.isRead() || (told != null && kind == Kind.COLUMN_DEFINITION);
      ByteBuf payload = isRead ? payload(in) : Unpooled.EMPTY_BUFFER;
      scanner.advance(in);
      switch (kind) {
        case ERR -> {
          return End.FAILED;
        }
        case ROWS_END -> {
          return end(payload);
        }
        case OK -> {
          return End.CHANGED;
        }
        case COLUMN_COUNT -> columns(ColumnCount.decode(payload, capabilities));
        case COLUMN_DEFINITION -> {
          if (told != null) {
            told.add(payload);
          }
          state.accept(kind, payload);
        }
        case COLUMNS_END, ROW -> state.accept(kind, payload);
        case LOCAL_INFILE, PREPARE_OK, PARAMETER_DEFINITION, PARAMETERS_END ->
            throw ProtocolViolationException.malformed("an answer to a read with " + kind);
      }
      if (state.isDone()) {
        return End.CHANGED;
      }
    }
    return End.NOT_YET;
  }

  private void columns(ColumnCount count) {
    if (told != null && count.definitionsFollow()) {
      told.begin();
    }
    state.columns(count);
  }

  private ByteBuf payload(ByteBuf in) {
    return in.slice(in.readerIndex() + PacketWriter.HEADER_SIZE, scanner.length());
  }

  private End end(ByteBuf payload) {
    int status;
    int warnings;
    boolean tells = false;
    if (hasEof) {
      EofPacket eof = EofPacket.decode(payload);
      status = eof.status();
      warnings = eof.warnings();
    } else {
      OkPacket ok = OkPacket.decode(payload, capabilities);
      status = ok.status();
      warnings = ok.warnings();
      tells = ok.sessionState().length > 0;
    }
    boolean isOutside = (status & ServerStatus.AUTOCOMMIT) != 0 && (status & CHANGES) == 0;
    if (!isOutside || tells) {
      return End.CHANGED;
    }
    return warnings == 0 ? End.PLAIN : End.WARNED;
  }
}
