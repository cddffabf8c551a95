package io.anabranch.backend.relay.conversation;

import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * An answer that nobody gets: only whether it failed counts, and of a query whether its first value
 * is some digit.
 */
final class SwallowedAnswer {

  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private @Nullable ErrPacket error;
  private boolean hasRow;

  /** The only value of the first row; 0: it is another one. */
  private byte digit;

  SwallowedAnswer(long capabilities) {
    state = new ResultSetState(capabilities);
  }

  void expect() {
    expect(Response.TEXT);
  }

  void expect(Response form) {
    state.expect(form);
    error = null;
    hasRow = false;
    digit = 0;
  }

  /**
   * Rows are passed over as they come, however long they are.
   *
   * @return whether the answer is complete
   */
  boolean read(ByteBuf in) {
    while (!isOver() && scanner.peek(in)) {
      if (scanner.isStart() && !scanner.isContinuation()) {
        Kind kind = state.kind(scanner);
        boolean isRead = kind.isRead() || kind == Kind.ERR || isDigit(kind);
        if (isRead && !scanner.isWhole(in)) {
          return false;
        }
        ByteBuf payload = isRead ? payload(in) : Unpooled.EMPTY_BUFFER;
        if (kind == Kind.ERR) {
          error = ErrPacket.decode(payload.slice());
        } else if (isDigit(kind)) {
          digit = payload.getByte(payload.readerIndex() + 1);
        }
        hasRow |= kind == Kind.ROW;
        state.accept(kind, payload);
      }
      scanner.advance(in);
    }
    return isOver();
  }

  private boolean isOver() {
    return state.isDone() && scanner.isAtMessageBoundary();
  }

  /** Whether the packet is a first row with one value of one byte, in the text protocol. */
  private boolean isDigit(Kind kind) {
    return kind == Kind.ROW && !hasRow && scanner.length() == 2 && scanner.firstByte() == 1;
  }

  private ByteBuf payload(ByteBuf in) {
    return in.slice(in.readerIndex() + PacketWriter.HEADER_SIZE, scanner.length());
  }

  /** Whether the first row is this digit, in the text protocol. */
  boolean is(char expected) {
    return digit == expected;
  }

  @Nullable ErrPacket error() {
    return error;
  }
}
