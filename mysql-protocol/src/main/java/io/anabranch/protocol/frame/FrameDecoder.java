package io.anabranch.protocol.frame;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/**
 * The server's reading side: passes on each payload as one {@link Frame}, joined if it came in
 * several packets. A {@link ProtocolViolationException} (raised as Netty's {@code
 * DecoderException}, of which it is the cause) ends the connection: what follows is dropped.
 *
 * <p>Every command starts with sequence number 0; during the handshake and LOCAL INFILE the numbers
 * go on, see {@link #expectSequence}.
 *
 * <p>Belongs to one channel and its event loop.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter {

  private long maxPayload;
  private int expected;
  private int nextSequence;
  private int lastSequence;
  private boolean ignoresSequence;
  private boolean broken;

  /** Whether a frame was passed on since the last read completed. */
  private boolean hasFired;

  /** What has arrived and is not decoded yet; null: nothing. */
  private @Nullable ByteBuf arrived;

  /** The packets so far of a payload in several; null between payloads. */
  private @Nullable CompositeByteBuf joined;

  /**
   * @param maxPayload bytes of a payload, joined; also the most that is kept in memory for a client
   */
  public FrameDecoder(long maxPayload) {
    this.maxPayload = maxPayload;
  }

  /** Another limit from here on. */
  public void maxPayload(long bytes) {
    maxPayload = bytes;
  }

  /** The sequence number that each of the following payloads starts with; initially 0. */
  public void expectSequence(int first) {
    expected = first & 0xFF;
  }

  /**
   * Takes any sequence numbers from here on: with compression it is the numbers of compressed
   * packets that count, and servers and clients let those inside go their own ways.
   */
  public void ignoreSequence() {
    ignoresSequence = true;
  }

  /**
   * Takes away the bytes read but not decoded yet: after SSLRequest they are the start of the TLS
   * handshake and belong into the {@code SslHandler}. The caller releases them.
   */
  public ByteBuf takeUndecoded() {
    ByteBuf taken = arrived;
    arrived = null;
    return taken == null ? Unpooled.EMPTY_BUFFER : taken;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    if (broken) {
      bytes.release();
      return;
    }
    ByteBuf before = arrived;
    arrived = before == null ? bytes : joined(ctx, before, bytes);
    try {
      // Whoever gets a frame may take what follows, or have more read.
      for (Frame frame = next(ctx); frame != null; frame = next(ctx)) {
        hasFired = true;
        ctx.fireChannelRead(frame);
      }
    } catch (ProtocolViolationException e) {
      broken = true;
      release();
      throw new DecoderException(e);
    }
    ByteBuf part = arrived;
    if (before == null && part != null) {
      // It does not hold on to the buffer that all channels are read into.
      arrived = ctx.alloc().buffer(part.readableBytes()).writeBytes(part);
      part.release();
    }
  }

  private static ByteBuf joined(ChannelHandlerContext ctx, ByteBuf before, ByteBuf bytes) {
    try {
      int more = bytes.readableBytes();
      if (before.refCnt() == 1 && before.writableBytes() >= more) {
        return before.writeBytes(bytes);
      }
      int length = before.readableBytes() + more;
      ByteBuf all = ctx.alloc().buffer(Math.max(length, 2 * before.readableBytes()));
      all.writeBytes(before).writeBytes(bytes);
      before.release();
      return all;
    } finally {
      bytes.release();
    }
  }

  private @Nullable Frame next(ChannelHandlerContext ctx) {
    Frame frame = null;
    while (frame == null) {
      ByteBuf part = nextPart();
      if (part == null) {
        return null;
      }
      frame = complete(ctx, part);
    }
    return frame;
  }

  /** The next packet's payload; what it is of is checked as soon as its header is there. */
  private @Nullable ByteBuf nextPart() {
    ByteBuf in = arrived;
    if (in == null || in.readableBytes() < PacketWriter.HEADER_SIZE) {
      return null;
    }
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    int sequence = in.getUnsignedByte(start + 3);
    CompositeByteBuf parts = joined;
    int wanted = parts == null ? expected : nextSequence;
    if (sequence != wanted && !ignoresSequence) {
      throw ProtocolViolationException.outOfOrder(wanted, sequence);
    }
    long total = length + (parts == null ? 0L : parts.readableBytes());
    if (total > maxPayload) {
      throw ProtocolViolationException.tooLarge();
    }
    int more = in.readableBytes() - PacketWriter.HEADER_SIZE - length;
    if (more < 0) {
      return null;
    }
    lastSequence = sequence;
    in.skipBytes(PacketWriter.HEADER_SIZE);
    if (more > 0) {
      return in.readRetainedSlice(length);
    }
    arrived = null;
    return in;
  }

  /** Null: the payload goes on in the next packet. */
  private @Nullable Frame complete(ChannelHandlerContext ctx, ByteBuf part) {
    CompositeByteBuf parts = joined;
    if (part.readableBytes() == PacketWriter.MAX_PAYLOAD) {
      joined = parts == null ? ctx.alloc().compositeBuffer(Integer.MAX_VALUE) : parts;
      joined.addComponent(true, part);
      nextSequence = (lastSequence + 1) & 0xFF;
      return null;
    }
    joined = null;
    return new Frame(lastSequence, parts == null ? part : parts.addComponent(true, part));
  }

  /** Where reads are made one by one, a packet that is not whole needs another. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    boolean needsMore = !hasFired && !ctx.channel().config().isAutoRead();
    hasFired = false;
    if (needsMore) {
      ctx.read();
    }
    ctx.fireChannelReadComplete();
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
    takeUndecoded().release();
    if (joined != null) {
      joined.release();
      joined = null;
    }
  }
}
