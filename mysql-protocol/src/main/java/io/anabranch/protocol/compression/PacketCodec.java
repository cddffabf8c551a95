package io.anabranch.protocol.compression;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** One way to compress. Holds native memory: whoever makes it closes it, once. */
interface PacketCodec extends AutoCloseable {

  /** The most bytes that {@code length} bytes can become. */
  int bound(int length);

  /**
   * Compresses what remains in {@code source}.
   *
   * @param source direct
   * @param out with room for {@link #bound} bytes
   */
  void compress(ByteBuffer source, ByteBuf out);

  /** The most bytes that {@code length} bytes can have been: nobody needs room for more. */
  long most(int length);

  /**
   * Decompresses what remains in {@code source}.
   *
   * @param source direct
   * @param out with room for {@code length} bytes
   * @throws io.anabranch.protocol.type.ProtocolViolationException if it is not what {@code length}
   *     bytes became
   */
  void decompress(ByteBuffer source, ByteBuf out, int length);

  @Override
  void close();
}
