package io.anabranch.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A payload that is not kept, because there is no room for it: its bytes are passed over as they
 * come, so that the next one is found. On the channel's event loop.
 */
final class SkippedPayload {

  private final RuntimeException refusal;
  private final ByteBuf head = Unpooled.buffer(Frame.HEAD_BYTES, Frame.HEAD_BYTES);
  private long total;
  private int packetLeft;
  private boolean isLast;

  SkippedPayload(RuntimeException refusal) {
    this.refusal = refusal;
  }

  /** Bytes so far, those announced by the last header among them. */
  long total() {
    return total;
  }

  /** Passes over bytes of earlier packets, which stay the caller's. */
  void past(ByteBuf earlier) {
    total += earlier.readableBytes();
    keepHead(earlier, earlier.readerIndex(), earlier.readableBytes());
  }

  /** A packet of the payload begins. */
  void packet(int length) {
    total += length;
    packetLeft = length;
    isLast = length < PacketWriter.MAX_PAYLOAD;
  }

  /** Passes over what has arrived of the packet. */
  void skip(ByteBuf in) {
    int some = Math.min(in.readableBytes(), packetLeft);
    keepHead(in, in.readerIndex(), some);
    in.skipBytes(some);
    packetLeft -= some;
  }

  private void keepHead(ByteBuf from, int index, int length) {
    head.writeBytes(from, index, Math.min(length, head.writableBytes()));
  }

  /** Whether the packet has arrived to its end. */
  boolean isAtPacketEnd() {
    return packetLeft == 0;
  }

  /** Whether the payload has no more packets than the one that began last. */
  boolean isLast() {
    return isLast;
  }

  Frame frame(int sequence) {
    return Frame.refused(sequence, head, refusal);
  }
}
