package io.anabranch.protocol.type;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Integers of 1, 3, 4 or 9 bytes, and strings that start with one.
 *
 * <p>Whatever is read is checked against the bytes that are there: a length that promises more than
 * the packet has is a {@link ProtocolViolationException}, so a caller may allocate what it says.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_dt_integers.html#sect_protocol_basic_dt_int_le">Length-Encoded
 * Integer</a>.
 */
public final class LengthEncoded {

  /** What {@link #readLength} gives for SQL NULL, the marker byte 0xFB. */
  public static final int NULL = -1;

  /** Marks SQL NULL in a text row. */
  public static final int NULL_MARKER = 0xFB;

  /** Says that the number is in the next two bytes. */
  public static final int TWO_BYTES = 0xFC;

  private static final int THREE_BYTES = 0xFD;
  private static final int EIGHT_BYTES = 0xFE;

  private LengthEncoded() {}

  /** An unsigned 64-bit number as its bits. */
  public static long readLong(ByteBuf in) {
    int first = readByte(in);
    if (first < NULL_MARKER) {
      return first;
    }
    int width = followingBytes(first);
    if (in.readableBytes() < width) {
      throw truncated();
    }
    return switch (first) {
      case TWO_BYTES -> in.readUnsignedShortLE();
      case THREE_BYTES -> in.readUnsignedMediumLE();
      default -> in.readLongLE();
    };
  }

  /** The length of a string whose bytes follow, all of them readable; or {@link #NULL}. */
  public static int readLength(ByteBuf in) {
    if (in.isReadable() && in.getUnsignedByte(in.readerIndex()) == NULL_MARKER) {
      in.skipBytes(1);
      return NULL;
    }
    long length = readLong(in);
    if (Long.compareUnsigned(length, in.readableBytes()) > 0) {
      throw truncated();
    }
    return (int) length;
  }

  /**
   * A string's bytes.
   *
   * @throws ProtocolViolationException also for NULL
   */
  public static byte[] readBytes(ByteBuf in) {
    byte[] bytes = readNullableBytes(in);
    if (bytes == null) {
      throw ProtocolViolationException.malformed("NULL where a string must be");
    }
    return bytes;
  }

  /** A string's bytes, null for SQL NULL. */
  public static byte @Nullable [] readNullableBytes(ByteBuf in) {
    int length = readLength(in);
    if (length == NULL) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }

  /** {@code value} is unsigned. */
  public static void write(ByteBuf out, long value) {
    switch (size(value)) {
      case 1 -> out.writeByte((int) value);
      case 3 -> out.writeByte(TWO_BYTES).writeShortLE((int) value);
      case 4 -> out.writeByte(THREE_BYTES).writeMediumLE((int) value);
      default -> out.writeByte(EIGHT_BYTES).writeLongLE(value);
    }
  }

  public static void writeBytes(ByteBuf out, byte[] bytes) {
    write(out, bytes.length);
    out.writeBytes(bytes);
  }

  /** Bytes that {@code value}, unsigned, takes: 1, 3, 4 or 9. */
  public static int size(long value) {
    if (value < 0) {
      return 9;
    }
    if (value < NULL_MARKER) {
      return 1;
    }
    if (value <= 0xFFFF) {
      return 3;
    }
    return value <= 0xFF_FFFF ? 4 : 9;
  }

  /** Bytes of the integer whose first byte is at {@code offset}; 1 for the NULL marker. */
  public static int sizeAt(byte[] bytes, int offset) {
    if (offset >= bytes.length) {
      throw truncated();
    }
    int first = bytes[offset] & 0xFF;
    return first <= NULL_MARKER ? 1 : 1 + followingBytes(first);
  }

  /**
   * The length of a string that starts at {@code offset}, {@link #NULL} for SQL NULL. Its bytes, at
   * {@code offset + sizeAt(bytes, offset)}, are all within the array.
   */
  public static int lengthAt(byte[] bytes, int offset) {
    int size = sizeAt(bytes, offset);
    if (size == 1 && (bytes[offset] & 0xFF) == NULL_MARKER) {
      return NULL;
    }
    long length = longAt(bytes, offset);
    if (Long.compareUnsigned(length, bytes.length - offset - size) > 0) {
      throw truncated();
    }
    return (int) length;
  }

  /** The unsigned 64-bit number at {@code offset} as its bits. */
  public static long longAt(byte[] bytes, int offset) {
    int size = sizeAt(bytes, offset);
    if (bytes.length - offset < size) {
      throw truncated();
    }
    if (size == 1) {
      int value = bytes[offset] & 0xFF;
      followingBytes(value);
      return value;
    }
    long value = 0;
    for (int i = size - 1; i >= 1; i--) {
      value = (value << 8) | (bytes[offset + i] & 0xFF);
    }
    return value;
  }

  /**
   * Writes {@code value}, unsigned.
   *
   * @return the offset after it
   */
  public static int write(byte[] bytes, int offset, long value) {
    int size = size(value);
    if (size == 1) {
      bytes[offset] = (byte) value;
      return offset + 1;
    }
    bytes[offset] = (byte) (size == 3 ? TWO_BYTES : size == 4 ? THREE_BYTES : EIGHT_BYTES);
    for (int i = 1; i < size; i++) {
      bytes[offset + i] = (byte) (value >>> (8 * (i - 1)));
    }
    return offset + size;
  }

  /** 0, 2, 3 or 8 by the first byte; neither the NULL marker nor 0xFF starts a number. */
  private static int followingBytes(int first) {
    return switch (first) {
      case TWO_BYTES -> 2;
      case THREE_BYTES -> 3;
      case EIGHT_BYTES -> 8;
      case NULL_MARKER, 0xFF ->
          throw ProtocolViolationException.malformed("no length-encoded number: " + first);
      default -> 0;
    };
  }

  private static int readByte(ByteBuf in) {
    if (!in.isReadable()) {
      throw truncated();
    }
    return in.readUnsignedByte();
  }

  private static ProtocolViolationException truncated() {
    return ProtocolViolationException.malformed("shorter than it says");
  }
}
