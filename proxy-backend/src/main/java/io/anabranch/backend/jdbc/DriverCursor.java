package io.anabranch.backend.jdbc;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.relay.column.Columns;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.client.socket.Reader;

/**
 * An answer that is read packet by packet while its reader asks for rows; what has not been read
 * waits in the socket. Of several results the first counts, the others are read away.
 */
final class DriverCursor implements ShardCursor {

  private final Reader reader;
  private final long capabilities;
  private final ResultSetState state;
  private final StatementMemory memory;
  private final Runnable atEnd;
  private final List<ResultColumn> definitions = new ArrayList<>();
  private @Nullable List<ResultColumn> columns;
  private int definitionsLeft;
  private int statementId;
  private long given;
  private boolean over;
  private @Nullable ShardOutcome outcome;
  private @Nullable ShardException failure;

  /**
   * @param memory counts the row that was given last, if it is long
   * @param atEnd runs when the last packet has been read
   */
  DriverCursor(
      Reader reader, long capabilities, Response response, StatementMemory memory, Runnable atEnd) {
    this.memory = memory;
    this.reader = reader;
    this.capabilities = capabilities;
    this.state = new ResultSetState(capabilities);
    this.atEnd = atEnd;
    state.expect(response);
  }

  /** Waits until the answer's kind is known. */
  void open() {
    while (columns == null && !over) {
      read();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Of an answer to COM_STMT_PREPARE. */
  int statementId() {
    return statementId;
  }

  @Override
  public List<ResultColumn> columns() {
    return columns == null ? List.of() : columns;
  }

  @Override
  public byte @Nullable [] next() {
    byte[] row = null;
    letGo();
    while (row == null && !over) {
      row = read();
    }
    if (row != null && row.length > StatementMemory.LONG_ROW) {
      memory.hold(row.length);
      given = row.length;
    }
    if (row == null && failure != null) {
      throw failure;
    }
    return row;
  }

  @Override
  public ShardOutcome outcome() {
    complete();
    if (outcome == null) {
      throw new IllegalStateException("no outcome of a prepared statement");
    }
    return outcome;
  }

  /** Reads to the end, which has to be a good one. */
  void complete() {
    close();
    if (failure != null) {
      throw failure;
    }
  }

  private void letGo() {
    memory.letGo(given);
    given = 0;
  }

  @Override
  public void close() {
    letGo();
    while (!over) {
      read();
    }
  }

  /**
   * Reads one packet.
   *
   * @return it if it is a row of the first result
   */
  private byte @Nullable [] read() {
    try {
      byte[] packet = reader.readPacket(false);
      int first = packet.length == 0 ? -1 : packet[0] & 0xFF;
      Kind kind = state.kind(first, Math.min(packet.length, PacketWriter.MAX_PAYLOAD));
      if (kind == Kind.ROW) {
        return outcome == null ? packet : null;
      }
      packet(kind, Unpooled.wrappedBuffer(packet));
      if (state.isDone()) {
        over = true;
        atEnd.run();
      }
    } catch (IOException broken) {
      lost("the server closed the connection: " + broken.getMessage());
    } catch (ProtocolViolationException nonsense) {
      lost("cannot understand the server: " + nonsense.getMessage());
    }
    return null;
  }

  private void lost(String reason) {
    over = true;
    failure = new ShardException.Lost(reason, true);
  }

  private void packet(Kind kind, ByteBuf payload) {
    state.accept(kind, payload);
    switch (kind) {
      case OK -> {
        if (columns == null) {
          columns = List.of();
        }
        resultOver(OkPacket.decode(payload, capabilities));
      }
      case ERR -> {
        ErrPacket err = ErrPacket.decode(payload);
        failure = new ShardException.Database(err.errno(), err.sqlState(), err.message());
      }
      case COLUMN_COUNT -> definitionsLeft(ColumnCount.decode(payload, capabilities).count());
      case PREPARE_OK -> {
        PrepareOk prepared = PrepareOk.decode(payload);
        statementId = prepared.statementId();
        definitionsLeft(prepared.columns());
      }
      case COLUMN_DEFINITION -> {
        definitions.add(
            Columns.read(ColumnDefinition.decode(payload, capabilities, StandardCharsets.UTF_8)));
        definitionsLeft(definitionsLeft - 1);
      }
      case COLUMNS_END, PARAMETERS_END, PARAMETER_DEFINITION, ROW -> {}
      case ROWS_END -> {
        if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
          resultOver(OkPacket.decode(payload, capabilities));
        } else {
          EofPacket eof = EofPacket.decode(payload);
          resultOver(OkPacket.of(0, 0, eof.status(), eof.warnings()));
        }
      }
      case LOCAL_INFILE -> throw ProtocolViolationException.malformed("an answer with " + kind);
    }
  }

  private void definitionsLeft(int count) {
    definitionsLeft = count;
    if (count == 0 && columns == null) {
      columns = List.copyOf(definitions);
    }
  }

  private void resultOver(OkPacket ok) {
    if (outcome == null) {
      outcome =
          new ShardOutcome(
              ok.affectedRows(),
              ok.lastInsertId(),
              ok.status(),
              ok.warnings(),
              new String(ok.info(), StandardCharsets.UTF_8));
    }
  }
}
