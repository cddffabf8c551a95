package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.column.Columns;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.PreparedShape;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer to COM_STMT_PREPARE. Names are in the character set of the connection's results:
 * each byte is told as a character, see {@link PreparedShape#in}.
 */
final class PrepareAnswer {

  private final long capabilities;
  private final Charset results;
  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private final List<ResultColumn> parameters = new ArrayList<>();
  private final List<ResultColumn> columns = new ArrayList<>();
  private final ToldColumns told = new ToldColumns();
  private @Nullable PrepareOk head;
  private @Nullable ResultColumn latest;
  private ByteBuf latestBytes = Unpooled.EMPTY_BUFFER;
  private @Nullable ErrPacket error;

  /**
   * @param results the character set of errors
   */
  PrepareAnswer(long capabilities, Charset results) {
    this.capabilities = capabilities;
    this.results = results;
    this.state = new ResultSetState(capabilities);
    state.expect(Response.PREPARE);
  }

  /**
   * @return whether the answer is complete
   */
  boolean read(ByteBuf in) {
    while (!state.isDone() && scanner.peek(in)) {
      if (!scanner.isWhole(in)) {
        return false;
      }
      ByteBuf payload = in.slice(in.readerIndex() + PacketWriter.HEADER_SIZE, scanner.length());
      Kind kind = state.kind(scanner);
      switch (kind) {
        case ERR -> error = ErrPacket.decode(payload.slice(), results);
        case PREPARE_OK -> head = PrepareOk.decode(payload.slice());
        case PARAMETER_DEFINITION -> parameters.add(column(payload));
        case COLUMN_DEFINITION -> {
          columns.add(column(payload));
          told.add(payload);
        }
        case PARAMETERS_END, COLUMNS_END, OK, LOCAL_INFILE, COLUMN_COUNT, ROW, ROWS_END -> {}
      }
      state.accept(kind, payload);
      scanner.advance(in);
    }
    return state.isDone();
  }

  /** Markers are all alike, and there may be tens of thousands of them. */
  private ResultColumn column(ByteBuf payload) {
    ResultColumn known = latest;
    if (known != null && latestBytes.equals(payload)) {
      return known;
    }
    ResultColumn read =
        Columns.read(
            ColumnDefinition.decode(payload.slice(), capabilities, StandardCharsets.ISO_8859_1));
    latest = read;
    latestBytes = Unpooled.copiedBuffer(payload);
    return read;
  }

  @Nullable ErrPacket error() {
    return error;
  }

  /**
   * After a complete answer without an error.
   *
   * @param under the settings of the connection
   */
  PreparedStatement statement(SessionSettings under) {
    PrepareOk ok = head;
    if (ok == null) {
      throw new IllegalStateException("the statement was not prepared");
    }
    return new PreparedStatement(
        ok.statementId(),
        new PreparedShape(parameters, columns, ok.warnings()),
        under.lightened(),
        told,
        null);
  }
}
