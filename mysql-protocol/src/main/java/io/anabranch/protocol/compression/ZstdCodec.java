package io.anabranch.protocol.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Frames of RFC 8878, one for each packet. */
final class ZstdCodec implements PacketCodec {

  /** A block has as many bytes at the most, and takes four if they are all the same. */
  private static final long MOST_OF_BLOCK = 128 << 10;

  private static final int SHORTEST_BLOCK = 4;

  private final ZstdCompressCtx compressor = new ZstdCompressCtx();
  private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

  ZstdCodec(int level) {
    compressor.setLevel(level);
  }

  @Override
  public int bound(int length) {
    return Math.toIntExact(Zstd.compressBound(length));
  }

  @Override
  public void compress(ByteBuffer source, ByteBuf out) {
    ByteBuffer room = out.nioBuffer(out.writerIndex(), out.writableBytes());
    int written =
        compressor.compressDirectByteBuffer(
            room, room.position(), room.remaining(), source, source.position(), source.remaining());
    out.writerIndex(out.writerIndex() + written);
  }

  @Override
  public long most(int length) {
    return MOST_OF_BLOCK * (length / SHORTEST_BLOCK);
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuf out, int length) {
    ByteBuffer room = out.nioBuffer(out.writerIndex(), length);
    int written;
    try {
      written =
          decompressor.decompressDirectByteBuffer(
              room, room.position(), length, source, source.position(), source.remaining());
    } catch (ZstdException e) {
      throw ProtocolViolationException.notCompressed();
    }
    if (written != length) {
      throw ProtocolViolationException.notCompressed();
    }
    out.writerIndex(out.writerIndex() + length);
  }

  @Override
  public void close() {
    compressor.close();
    decompressor.close();
  }
}
