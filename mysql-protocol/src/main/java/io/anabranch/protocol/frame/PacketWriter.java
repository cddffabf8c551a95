package io.anabranch.protocol.frame;

import io.netty.buffer.ByteBuf;

/**
 * Writes packets: header, payload, and the split of payloads that one packet cannot hold.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html">MySQL
 * Packets</a>.
 */
public final class PacketWriter {

  /** Bytes of a header: three of length, one of sequence number. */
  public static final int HEADER_SIZE = 4;

  /** The payload of a packet that another one continues. */
  public static final int MAX_PAYLOAD = 0xFF_FFFF;

  private PacketWriter() {}

  /**
   * @return the sequence number after those used
   */
  public static int write(ByteBuf out, int sequence, byte[] payload) {
    return write(out, sequence, payload, 0, payload.length);
  }

  /**
   * @return the sequence number after those used
   */
  public static int write(ByteBuf out, int sequence, byte[] payload, int offset, int length) {
    int next = sequence;
    int from = offset;
    int left = length;
    int chunk;
    do {
      chunk = Math.min(left, MAX_PAYLOAD);
      writeHeader(out, chunk, next).writeBytes(payload, from, chunk);
      next = (next + 1) & 0xFF;
      from += chunk;
      left -= chunk;
    } while (chunk == MAX_PAYLOAD);
    return next;
  }

  /**
   * Copies what is readable in {@code payload}, which is neither advanced nor released.
   *
   * @return the sequence number after those used
   */
  public static int write(ByteBuf out, int sequence, ByteBuf payload) {
    int next = sequence;
    int from = payload.readerIndex();
    int left = payload.readableBytes();
    int chunk;
    do {
      chunk = Math.min(left, MAX_PAYLOAD);
      writeHeader(out, chunk, next).writeBytes(payload, from, chunk);
      next = (next + 1) & 0xFF;
      from += chunk;
      left -= chunk;
    } while (chunk == MAX_PAYLOAD);
    return next;
  }

  /**
   * Starts a payload that is written directly into {@code out}.
   *
   * @return what {@link #end} wants
   */
  public static int begin(ByteBuf out) {
    int start = out.writerIndex();
    out.writeZero(HEADER_SIZE);
    return start;
  }

  /**
   * Completes the payload written since {@link #begin}: fills in the header, and splits it where it
   * is too long for one packet.
   *
   * @return the sequence number after those used
   */
  public static int end(ByteBuf out, int start, int sequence) {
    int length = out.writerIndex() - start - HEADER_SIZE;
    if (length < MAX_PAYLOAD) {
      out.setMediumLE(start, length).setByte(start + 3, sequence);
      return (sequence + 1) & 0xFF;
    }
    ByteBuf payload = out.copy(start + HEADER_SIZE, length);
    try {
      out.writerIndex(start);
      return write(out, sequence, payload);
    } finally {
      payload.release();
    }
  }

  private static ByteBuf writeHeader(ByteBuf out, int length, int sequence) {
    return out.writeMediumLE(length).writeByte(sequence);
  }
}
