package io.anabranch.protocol.compression;

import io.anabranch.protocol.frame.RoomTaken;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of compressed packets in, bytes of packets out. A compressed packet that there is no room
 * for ends the connection: nobody knows what is in it.
 */
public final class PacketDecompressor extends ChannelInboundHandlerAdapter {

  private final PacketCodec codec;
  private final CompressedProtocol.Numbers numbers;
  private final RoomTaken room;
  private final BooleanSupplier isPaused;
  private boolean broken;

  /** What has arrived and is not decompressed yet; null: nothing. */
  private @Nullable ByteBuf arrived;

  PacketDecompressor(
      PacketCodec codec,
      CompressedProtocol.Numbers numbers,
      RoomTaken room,
      BooleanSupplier isPaused) {
    this.codec = codec;
    this.numbers = numbers;
    this.room = room;
    this.isPaused = isPaused;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (broken || (arrived == null && !bytes.isReadable())) {
      bytes.release();
      return;
    }
    ByteBuf before = arrived;
    arrived = before == null ? bytes : joined(ctx.alloc(), before, bytes);
    goOn(ctx);
    ByteBuf rest = arrived;
    if (before == null && rest != null) {
      // It does not hold on to the buffer that all channels are read into.
      arrived = ctx.alloc().buffer(rest.readableBytes()).writeBytes(rest);
      rest.release();
    }
    count(ctx);
  }

  private void count(ChannelHandlerContext ctx) {
    ByteBuf rest = arrived;
    RuntimeException refusal = room.keeps(rest == null ? 0 : rest.capacity());
    if (refusal != null) {
      broken = true;
      release();
      ctx.fireExceptionCaught(refusal);
    }
  }

  private static ByteBuf joined(ByteBufAllocator alloc, ByteBuf before, ByteBuf bytes) {
    try {
      if (before.refCnt() == 1 && before.writableBytes() >= bytes.readableBytes()) {
        return before.writeBytes(bytes);
      }
      int length = before.readableBytes() + bytes.readableBytes();
      ByteBuf all = alloc.buffer(Math.max(length, Math.min(2 * length, packet(before))));
      all.writeBytes(before).writeBytes(bytes);
      before.release();
      return all;
    } finally {
      bytes.release();
    }
  }

  private static int packet(ByteBuf in) {
    return in.readableBytes() < CompressedProtocol.HEADER_SIZE
        ? 0
        : in.getUnsignedMediumLE(in.readerIndex()) + CompressedProtocol.HEADER_SIZE;
  }

  /** Passes on what has arrived, as long as somebody takes it. */
  void goOn(ChannelHandlerContext ctx) {
    try {
      while (arrived != null && !isPaused.getAsBoolean()) {
        ByteBuf packets = decode(ctx.alloc(), arrived);
        if (packets == null) {
          return;
        }
        if (!arrived.isReadable()) {
          arrived.release();
          arrived = null;
        }
        ctx.fireChannelRead(packets);
      }
    } catch (ProtocolViolationException e) {
      broken = true;
      release();
      throw new DecoderException(e);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    release();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }

  private void release() {
    ByteBuf rest = arrived;
    arrived = null;
    if (rest != null) {
      rest.release();
    }
    room.keeps(0);
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
    if (before > codec.most(length)) {
      throw ProtocolViolationException.notCompressed();
    }
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
