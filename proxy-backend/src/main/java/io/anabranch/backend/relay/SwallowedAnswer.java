package io.anabranch.backend.relay;

import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The answer to a statement of the prologue: only whether it failed counts. */
final class SwallowedAnswer {

  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private @Nullable ErrPacket error;

  SwallowedAnswer(long capabilities) {
    state = new ResultSetState(capabilities);
  }

  void expect() {
    state.expect(Response.TEXT);
    error = null;
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
      Kind kind = state.kind(scanner.firstByte(), scanner.length());
      if (kind == Kind.ERR) {
        error = ErrPacket.decode(payload.slice());
      }
      state.accept(kind, payload);
      scanner.advance(in);
    }
    return state.isDone();
  }

  @Nullable ErrPacket error() {
    return error;
  }
}
