package io.anabranch.protocol.type;

import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checked reads of a packet's fixed-length and NUL-terminated fields: where the packet is too short
 * they throw {@link ProtocolViolationException} instead of Netty's unchecked exceptions.
 */
public final class Fields {

  /** What servers take of a client's attributes, in bytes; with more, the packet is none. */
  private static final int MOST_OF_ATTRIBUTES = (1 << 16) - 1;

  /**
   * What is kept of them, in bytes of names and values, and in pairs: eight times what servers
   * keep, and about what a session takes without them.
   */
  private static final int KEPT_OF_ATTRIBUTES = 4 << 10;

  private static final int KEPT_ATTRIBUTES = 32;

  private Fields() {}

  public static int readInt1(ByteBuf in) {
    return require(in, 1).readUnsignedByte();
  }

  public static int readInt2(ByteBuf in) {
    return require(in, 2).readUnsignedShortLE();
  }

  public static int readInt3(ByteBuf in) {
    return require(in, 3).readUnsignedMediumLE();
  }

  /** Unsigned. */
  public static long readInt4(ByteBuf in) {
    return require(in, 4).readUnsignedIntLE();
  }

  public static long readInt8(ByteBuf in) {
    return require(in, 8).readLongLE();
  }

  public static void skip(ByteBuf in, int count) {
    require(in, count).skipBytes(count);
  }

  public static byte[] readBytes(ByteBuf in, int count) {
    require(in, count);
    byte[] bytes = new byte[count];
    in.readBytes(bytes);
    return bytes;
  }

  /** All that is left. */
  public static byte[] readRest(ByteBuf in) {
    byte[] bytes = new byte[in.readableBytes()];
    in.readBytes(bytes);
    return bytes;
  }

  /** Up to a NUL, which is read too. */
  public static byte[] readNulTerminated(ByteBuf in) {
    int length = in.bytesBefore((byte) 0);
    if (length < 0) {
      throw ProtocolViolationException.malformed("a string without its end");
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    in.skipBytes(1);
    return bytes;
  }

  public static String readNulTerminated(ByteBuf in, Charset charset) {
    return new String(readNulTerminated(in), charset);
  }

  public static String readLengthEncoded(ByteBuf in, Charset charset) {
    return new String(LengthEncoded.readBytes(in), charset);
  }

  public static String readRest(ByteBuf in, Charset charset) {
    return new String(readRest(in), charset);
  }

  /**
   * Connection attributes: a length, then pairs of strings. Of a name given twice the last wins.
   * Those that come first are kept, up to 32 of together 4 KB; the others are read over, as servers
   * do, and cost nothing.
   *
   * @throws ProtocolViolationException also if they are longer than 64 KB
   */
  public static Map<String, String> readAttributes(ByteBuf in, Charset charset) {
    int length = readCheckedLength(in);
    if (length > MOST_OF_ATTRIBUTES) {
      throw ProtocolViolationException.malformed("more attributes than 64 KB");
    }
    ByteBuf pairs = in.readSlice(length);
    Map<String, String> attributes = new LinkedHashMap<>();
    int room = KEPT_OF_ATTRIBUTES;
    while (pairs.isReadable()) {
      int start = pairs.readerIndex();
      skipText(pairs);
      skipText(pairs);
      int taken = pairs.readerIndex() - start;
      if (taken <= room && attributes.size() < KEPT_ATTRIBUTES) {
        room -= taken;
        pairs.readerIndex(start);
        String name = readLengthEncoded(pairs, charset);
        attributes.put(name, readLengthEncoded(pairs, charset));
      }
    }
    return Collections.unmodifiableMap(attributes);
  }

  private static void skipText(ByteBuf in) {
    in.skipBytes(readCheckedLength(in));
  }

  private static int readCheckedLength(ByteBuf in) {
    int length = LengthEncoded.readLength(in);
    if (length == LengthEncoded.NULL) {
      throw ProtocolViolationException.malformed("NULL where attributes must be");
    }
    return length;
  }

  private static ByteBuf require(ByteBuf in, int count) {
    if (count < 0 || in.readableBytes() < count) {
      throw ProtocolViolationException.malformed("shorter than it must be");
    }
    return in;
  }
}
