package io.anabranch.protocol.compression;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CoalescingBufferQueue;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Bytes of packets in, bytes of compressed packets out: as few as one for each flush. */
public final class PacketCompressor extends ChannelOutboundHandlerAdapter {

  /** Shorter ones are sent as they are, as MySQL does. */
  private static final int MIN_LENGTH = 50;

  /** Bounds what is allocated at a time. */
  private static final int MAX_CHUNK = 1 << 20;

  private final PacketCodec codec;
  private final CompressedProtocol.Numbers numbers;
  private @Nullable CoalescingBufferQueue queue;

  PacketCompressor(PacketCodec codec, CompressedProtocol.Numbers numbers) {
    this.codec = codec;
    this.numbers = numbers;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    queue = new CoalescingBufferQueue(ctx.channel());
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    queue().add((ByteBuf) message, promise);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    CoalescingBufferQueue waiting = queue();
    while (!waiting.isEmpty()) {
      ChannelPromise promise = ctx.newPromise();
      ByteBuf chunk = waiting.remove(MAX_CHUNK, promise);
      write(ctx, chunk, promise);
    }
    ctx.flush();
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    releaseWaiting();
    ctx.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    releaseWaiting();
  }

  private void releaseWaiting() {
    queue().releaseAndFailAll(new ClosedChannelException());
  }

  private CoalescingBufferQueue queue() {
    CoalescingBufferQueue waiting = queue;
    if (waiting == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return waiting;
  }

  private void write(ChannelHandlerContext ctx, ByteBuf chunk, ChannelPromise promise) {
    int length = chunk.readableBytes();
    ByteBuf compressed = length < MIN_LENGTH ? null : compressed(ctx.alloc(), chunk);
    if (compressed == null) {
      ByteBuf header = ctx.alloc().buffer(CompressedProtocol.HEADER_SIZE);
      writeHeader(header, length, 0);
      ctx.write(header, ctx.voidPromise());
      ctx.write(chunk, promise);
    } else {
      chunk.release();
      ctx.write(compressed, promise);
    }
  }

  /** Null if it would not be shorter. */
  private @Nullable ByteBuf compressed(ByteBufAllocator alloc, ByteBuf chunk) {
    int length = chunk.readableBytes();
    ByteBuf out = alloc.directBuffer(CompressedProtocol.HEADER_SIZE + codec.bound(length));
    out.writeZero(CompressedProtocol.HEADER_SIZE);
    ByteBuf copy = null;
    try {
      ByteBuffer source;
      if (chunk.isDirect() && chunk.nioBufferCount() == 1) {
        source = chunk.nioBuffer();
      } else {
        copy = alloc.directBuffer(length).writeBytes(chunk, chunk.readerIndex(), length);
        source = copy.nioBuffer();
      }
      codec.compress(source, out);
    } catch (RuntimeException e) {
      out.release();
      throw e;
    } finally {
      if (copy != null) {
        copy.release();
      }
    }
    int packed = out.readableBytes() - CompressedProtocol.HEADER_SIZE;
    if (packed >= length) {
      out.release();
      return null;
    }
    int end = out.writerIndex();
    writeHeader(out.writerIndex(0), packed, length);
    return out.writerIndex(end);
  }

  private void writeHeader(ByteBuf out, int length, int before) {
    out.writeMediumLE(length).writeByte(numbers.toSend).writeMediumLE(before);
    numbers.toSend = (numbers.toSend + 1) & 0xFF;
  }
}
