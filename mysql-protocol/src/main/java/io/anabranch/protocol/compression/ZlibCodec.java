package io.anabranch.protocol.compression;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Streams of RFC 1950, one for each packet, at zlib's default level as MySQL. */
final class ZlibCodec implements PacketCodec {

  /** The longest match has 258 bytes and takes two bits. */
  private static final long MOST_OF_BYTE = 4 * 258;

  private final Deflater deflater = new Deflater();
  private final Inflater inflater = new Inflater();

  /** As {@code deflateBound} for default parameters, with the header. */
  @Override
  public int bound(int length) {
    return length + (length >> 12) + (length >> 14) + (length >> 25) + 13;
  }

  @Override
  public void compress(ByteBuffer source, ByteBuf out) {
    deflater.reset();
    deflater.setInput(source);
    deflater.finish();
    while (!deflater.finished()) {
      ByteBuffer room = out.nioBuffer(out.writerIndex(), out.writableBytes());
      int written = deflater.deflate(room);
      out.writerIndex(out.writerIndex() + written);
      if (written == 0) {
        out.ensureWritable(out.writableBytes() + 64);
      }
    }
  }

  @Override
  public long most(int length) {
    return MOST_OF_BYTE * length;
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuf out, int length) {
    inflater.reset();
    inflater.setInput(source);
    ByteBuffer room = out.nioBuffer(out.writerIndex(), length);
    try {
      while (room.hasRemaining()) {
        if (inflater.inflate(room) == 0) {
          throw ProtocolViolationException.notCompressed();
        }
      }
      // Its end may still be there, but no more content.
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw ProtocolViolationException.notCompressed();
      }
    } catch (DataFormatException e) {
      throw ProtocolViolationException.notCompressed();
    }
    out.writerIndex(out.writerIndex() + length);
  }

  @Override
  public void close() {
    deflater.end();
    inflater.end();
  }
}
