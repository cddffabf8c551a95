package io.anabranch.protocol.compression;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes of compressed packets in, bytes of packets out. */
public final class PacketDecompressor extends ByteToMessageDecoder {

  private final PacketCodec codec;
  private final CompressedProtocol.Numbers numbers;
  private boolean broken;

  PacketDecompressor(PacketCodec codec, CompressedProtocol.Numbers numbers) {
    this.codec = codec;
    this.numbers = numbers;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      ByteBuf packets = decode(ctx.alloc(), in);
      if (packets != null) {
        out.add(packets);
      }
    } catch (ProtocolViolationException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  private @Nullable ByteBuf decode(ByteBufAllocator alloc, ByteBuf in) {
    if (in.readableBytes() < CompressedProtocol.HEADER_SIZE) {
      return null;
    }
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    if (in.readableBytes() < CompressedProtocol.HEADER_SIZE + length) {
      return null;
    }
    receive(in.getUnsignedByte(start + 3));
    int before = in.getUnsignedMediumLE(start + 4);
    in.skipBytes(CompressedProtocol.HEADER_SIZE);
    return before == 0 ? in.readRetainedSlice(length) : decompressed(alloc, in, length, before);
  }

  /** It starts a command, goes on with one, or answers us (LOCAL INFILE). */
  private void receive(int sequence) {
    int next = (numbers.received + 1) & 0xFF;
    if (sequence != 0 && sequence != next && sequence != numbers.toSend) {
      throw ProtocolViolationException.outOfOrder(next, sequence);
    }
    numbers.received = sequence;
  }

  private ByteBuf decompressed(ByteBufAllocator alloc, ByteBuf in, int length, int before) {
    ByteBuf out = alloc.directBuffer(before, before);
    ByteBuf copy = null;
    try {
      ByteBuffer source;
      if (in.isDirect() && in.nioBufferCount() == 1) {
        source = in.nioBuffer(in.readerIndex(), length);
      } else {
        copy = alloc.directBuffer(length).writeBytes(in, in.readerIndex(), length);
        source = copy.nioBuffer();
      }
      codec.decompress(source, out, before);
      in.skipBytes(length);
      return out;
    } catch (ProtocolViolationException e) {
      out.release();
      throw e;
    } finally {
      if (copy != null) {
        copy.release();
      }
    }
  }
}
