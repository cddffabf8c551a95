package io.anabranch.protocol.compression;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.frame.RoomTaken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CoalescingBufferQueue;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of packets in, bytes of compressed packets out: as few as one for each flush. Packets are
 * not split over compressed ones where that can be, and where there is room for one that is not
 * whole yet, as servers do not: the pure Python driver takes two pieces at most.
 */
public final class PacketCompressor extends ChannelOutboundHandlerAdapter {

  /** Shorter ones are sent as they are, as MySQL does. */
  private static final int MIN_LENGTH = 50;

  /** What a compressed packet may hold, and so the most that is held back. */
  private static final int MAX_CHUNK = PacketWriter.MAX_PAYLOAD;

  /**
   * What is compressed for one flush: a megabyte takes an event loop some 100 milliseconds, in
   * which nobody else is served. What is longer goes as it is.
   */
  private static final int MOST_AT_ONCE = 1 << 18;

  private static final int INITIAL_QUEUE = 4;

  private final PacketCodec codec;
  private final CompressedProtocol.Numbers numbers;
  private final RoomTaken room;
  private @Nullable CoalescingBufferQueue queue;

  /** Bytes at the queue's head that are whole packets. */
  private int whole;

  // Of the packet behind those:
  private int headerRead;
  private int payloadLeft;

  PacketCompressor(PacketCodec codec, CompressedProtocol.Numbers numbers, RoomTaken room) {
    this.codec = codec;
    this.numbers = numbers;
    this.room = room;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    // What is held back must not make the channel unwritable: only more of it sends it on.
    queue = new CoalescingBufferQueue(ctx.channel(), INITIAL_QUEUE, false);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf packets = (ByteBuf) message;
    measure(packets, queue().readableBytes());
    queue().add(packets, promise);
  }

  /** Finds where the last whole packet of the queue ends, with what comes after {@code queued}. */
  private void measure(ByteBuf packets, int queued) {
    int start = packets.readerIndex();
    int at = start;
    while (at < packets.writerIndex()) {
      if (headerRead < PacketWriter.HEADER_SIZE) {
        if (headerRead < PacketWriter.HEADER_SIZE - 1) {
          payloadLeft |= packets.getUnsignedByte(at) << (Byte.SIZE * headerRead);
        }
        headerRead++;
        at++;
      } else {
        int there = Math.min(payloadLeft, packets.writerIndex() - at);
        payloadLeft -= there;
        at += there;
      }
      if (headerRead == PacketWriter.HEADER_SIZE && payloadLeft == 0) {
        headerRead = 0;
        whole = queued + at - start;
      }
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    CoalescingBufferQueue waiting = queue();
    int held = waiting.readableBytes() - whole;
    boolean mayHold = held < MAX_CHUNK && room.keeps(held) == null;
    int ready = mayHold ? whole : waiting.readableBytes();
    int compressible = MOST_AT_ONCE;
    while (ready > 0) {
      ChannelPromise promise = ctx.newPromise();
      ByteBuf chunk = waiting.remove(Math.min(ready, MAX_CHUNK), promise);
      ready -= chunk.readableBytes();
      compressible -= chunk.readableBytes();
      write(ctx, chunk, promise, compressible >= 0);
    }
    whole = 0;
    if (!mayHold) {
      room.keeps(0);
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

  /** What was not sent is not sent any more. */
  void releaseWaiting() {
    queue().releaseAndFailAll(new ClosedChannelException());
    room.keeps(0);
  }

  private CoalescingBufferQueue queue() {
    CoalescingBufferQueue waiting = queue;
    if (waiting == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return waiting;
  }

  private void write(
      ChannelHandlerContext ctx, ByteBuf chunk, ChannelPromise promise, boolean mayCompress) {
    int length = chunk.readableBytes();
    ByteBuf compressed =
        mayCompress && length >= MIN_LENGTH ? compressed(ctx.alloc(), chunk) : null;
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
