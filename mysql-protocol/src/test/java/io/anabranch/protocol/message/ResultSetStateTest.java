package io.anabranch.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** Where a look at the first byte is not enough; whole conversations are in ConversationTest. */
class ResultSetStateTest {

  private static final long WITH_EOF = Capability.PROTOCOL_41;
  private static final long WITHOUT_EOF = Capability.PROTOCOL_41 | Capability.DEPRECATE_EOF;

  @Test
  void rowsOfHugeCellsAreNoEnd() {
    ResultSetState eof = inRows(WITH_EOF, Response.TEXT);
    assertThat(eof.kind(0xFE, PacketWriter.MAX_PAYLOAD)).isEqualTo(Kind.ROW);
    assertThat(eof.kind(0xFE, 5)).isEqualTo(Kind.ROWS_END);
    ResultSetState ok = inRows(WITHOUT_EOF, Response.TEXT);
    assertThat(ok.kind(0xFE, PacketWriter.MAX_PAYLOAD)).isEqualTo(Kind.ROW);
    assertThat(ok.kind(0xFE, 7)).isEqualTo(Kind.ROWS_END);
    assertThat(ok.kind(0xFE, 300)).isEqualTo(Kind.ROWS_END);
  }

  @Test
  void rowsThatStartWithAnEmptyStringOrNullAreRows() {
    ResultSetState state = inRows(WITHOUT_EOF, Response.TEXT);
    assertThat(state.kind(0x00, 7)).isEqualTo(Kind.ROW);
    assertThat(state.kind(0xFB, 1)).isEqualTo(Kind.ROW);
  }

  @Test
  void binaryRowsStartWithZero() {
    ResultSetState state = inRows(WITHOUT_EOF, Response.BINARY);
    assertThat(state.kind(0x00, 7)).isEqualTo(Kind.ROW);
    assertThatThrownBy(() -> state.kind(0x01, 7)).isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void anErrorEndsRows() {
    ResultSetState state = inRows(WITH_EOF, Response.TEXT);
    assertThat(state.kind(0xFF, 20)).isEqualTo(Kind.ERR);
    state.accept(Kind.ERR, error(1317));
    assertThat(state.isDone()).isTrue();
  }

  @Test
  void whatLooksLikeAProgressReportIsAnError() {
    var state = new ResultSetState(WITH_EOF);
    state.expect(Response.TEXT);
    ByteBuf report = Unpooled.buffer().writeByte(0xFF).writeShortLE(0xFFFF);
    report.writeBytes(new byte[] {1, 1, 2, 0, 0, 0, 0});
    assertThat(state.kind(0xFF, report.readableBytes())).isEqualTo(Kind.ERR);
    state.accept(Kind.ERR, report);
    assertThat(state.isDone()).isTrue();
  }

  @Test
  void nothingFollowsTheEnd() {
    var state = new ResultSetState(WITH_EOF);
    assertThatThrownBy(() -> state.kind(0, 7)).isInstanceOf(ProtocolViolationException.class);
  }

  /** MySQL says so where a procedure has opened a cursor of its own. */
  @Test
  void rowsFollowWhereNoCursorWasAskedFor() {
    int leaked = ServerStatus.AUTOCOMMIT | ServerStatus.CURSOR_EXISTS;
    assertThat(inRows(WITH_EOF, Response.BINARY, leaked).kind(0x00, 7)).isEqualTo(Kind.ROW);
    assertThat(inRows(WITH_EOF, Response.TEXT, leaked).kind(0x00, 7)).isEqualTo(Kind.ROW);
    int more = leaked | ServerStatus.MORE_RESULTS_EXISTS;
    assertThat(inRows(WITH_EOF, Response.CURSOR, more).kind(0x00, 7)).isEqualTo(Kind.ROW);
    assertThat(inRows(WITH_EOF, Response.CURSOR, leaked).isDone()).isTrue();
    assertThat(inRows(WITH_EOF, Response.CURSOR, 2).kind(0x00, 7)).isEqualTo(Kind.ROW);
  }

  @Test
  void cachedMetadataIsLeftOut() {
    var state = new ResultSetState(WITHOUT_EOF | Capability.MARIADB_CACHE_METADATA);
    state.expect(Response.BINARY);
    state.accept(state.kind(1, 2), Unpooled.wrappedBuffer(new byte[] {1, 0}));
    assertThat(state.kind(0, 9)).isEqualTo(Kind.ROW);
  }

  private static ResultSetState inRows(long capabilities, Response response) {
    return inRows(capabilities, response, ServerStatus.AUTOCOMMIT);
  }

  private static ResultSetState inRows(long capabilities, Response response, int status) {
    var state = new ResultSetState(capabilities);
    state.expect(response);
    assertThat(state.kind(1, 1)).isEqualTo(Kind.COLUMN_COUNT);
    state.accept(Kind.COLUMN_COUNT, Unpooled.wrappedBuffer(new byte[] {1}));
    assertThat(state.kind(3, 40)).isEqualTo(Kind.COLUMN_DEFINITION);
    state.accept(Kind.COLUMN_DEFINITION, null);
    if (!Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
      assertThat(state.kind(0xFE, 5)).isEqualTo(Kind.COLUMNS_END);
      ByteBuf eof = Unpooled.buffer();
      new EofPacket(0, status).encode(eof);
      state.accept(Kind.COLUMNS_END, eof);
    }
    return state;
  }

  private static ByteBuf error(int errno) {
    ByteBuf out = Unpooled.buffer();
    new ErrPacket(errno, "HY000", "interrupted").encode(out);
    return out;
  }
}
