package io.anabranch.backend.relay.conversation;

import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.LengthEncoded;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An answer that nobody gets: only whether it failed counts, and of a query what its first value
 * is.
 */
final class SwallowedAnswer {

  private static final int NULL = 0xFB;

  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private @Nullable ErrPacket error;
  private byte @Nullable [] value;

  SwallowedAnswer(long capabilities) {
    state = new ResultSetState(capabilities);
  }

  void expect() {
    expect(Response.TEXT);
  }

  void expect(Response form) {
    state.expect(form);
    error = null;
    value = null;
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
      if (kind == Kind.ROW && value == null && scanner.firstByte() != NULL) {
        value = LengthEncoded.readBytes(payload.slice());
      }
      state.accept(kind, payload);
      scanner.advance(in);
    }
    return state.isDone();
  }

  /** Whether the first value of the first row is this digit, in the text protocol. */
  boolean is(char digit) {
    byte[] found = value;
    return found != null && found.length == 1 && found[0] == digit;
  }

  @Nullable ErrPacket error() {
    return error;
  }
}
