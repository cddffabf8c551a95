package io.anabranch.protocol.frame;

import io.netty.buffer.ByteBuf;

/**
 * Finds packet boundaries in a stream of bytes that is passed on as it comes, cut anywhere, so that
 * a row of a gigabyte goes through in small parts. Allocates nothing per packet.
 *
 * <pre>{@code
 * while (scanner.peek(in)) {
 *   if (mustBeUnderstood(scanner) && !scanner.isWhole(in)) break; // wait for more bytes
 *   int length = scanner.advance(in);                             // now in.readerIndex() is after the part
 *   forward(in, in.readerIndex() - length, length);
 * }
 * }</pre>
 *
 * <p>Each round handles a part of one packet: what is left of the packet or, if less is there, all
 * that is there. The first part of a packet starts with its header. Sequence numbers are not
 * checked.
 */
public final class PacketScanner {

  private int length;
  private int sequence;
  private int firstByte = -1;

  /** Bytes of the packet that have not been consumed, header included; 0 between packets. */
  private int left;

  private boolean started;
  private boolean continuation;
  private boolean continues;

  /**
   * Looks at the part that starts at the reader index, consuming nothing.
   *
   * @return false when there is nothing to do before more bytes come
   */
  public boolean peek(ByteBuf in) {
    if (started) {
      return in.isReadable();
    }
    if (in.readableBytes() < PacketWriter.HEADER_SIZE) {
      return false;
    }
    int start = in.readerIndex();
    int announced = in.getUnsignedMediumLE(start);
    if (announced > 0 && in.readableBytes() == PacketWriter.HEADER_SIZE) {
      return false;
    }
    length = announced;
    sequence = in.getUnsignedByte(start + 3);
    firstByte = announced == 0 ? -1 : in.getUnsignedByte(start + PacketWriter.HEADER_SIZE);
    left = PacketWriter.HEADER_SIZE + announced;
    continuation = continues;
    return true;
  }

  /** Whether the part starts a packet: a header is at the reader index. */
  public boolean isStart() {
    return !started;
  }

  /** Length of the packet's payload, 0…0xFFFFFF. */
  public int length() {
    return length;
  }

  public int sequence() {
    return sequence;
  }

  /** First byte of the payload, −1 when it is empty. */
  public int firstByte() {
    return firstByte;
  }

  /**
   * Whether the packet continues the payload of the one before it, so that its first byte means
   * nothing.
   */
  public boolean isContinuation() {
    return continuation;
  }

  /** Whether all that is left of the packet is readable. */
  public boolean isWhole(ByteBuf in) {
    return in.readableBytes() >= left;
  }

  /**
   * Consumes the part that {@link #peek} has seen: moves the reader index after it.
   *
   * @return its length, header included where it has one
   */
  public int advance(ByteBuf in) {
    int part = Math.min(left, in.readableBytes());
    in.skipBytes(part);
    left -= part;
    started = left > 0;
    if (!started) {
      continues = length == PacketWriter.MAX_PAYLOAD;
    }
    return part;
  }

  /** Whether the last packet is complete and no other one continues it. */
  public boolean isAtMessageBoundary() {
    return !started && !continues;
  }
}
