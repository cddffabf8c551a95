package io.anabranch.protocol.frame;

import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.util.concurrent.TimeUnit;
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

  /** Then others of the event loop have their turn. */
  private static final int MOST_AT_ONCE = 256;

  private static final long REST_MICROSECONDS = 200;

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

  /** The payload that arrives, if it is not kept; null: it is. */
  private @Nullable SkippedPayload skipped;

  private final RoomTaken room = new RoomTaken(FrameRoom.UNLIMITED, 0);
  private boolean paused;

  /** It is going to go on. */
  private boolean resuming;

  private Runnable resumed = () -> {};
  private @Nullable Runnable upstream;
  private @Nullable ChannelHandlerContext context;

  /**
   * @param maxPayload bytes of a payload, joined; also the most that is kept in memory for a client
   */
  public FrameDecoder(long maxPayload) {
    this.maxPayload = maxPayload;
  }

  /**
   * Where what is kept of a payload is counted from here on. A payload that finds no room is passed
   * on as {@link Frame#refused} when all of it has come.
   *
   * @param uncounted bytes that may be kept without
   */
  public void room(FrameRoom where, long uncounted) {
    room.in(where, uncounted);
  }

  /** Passes nothing on from here on, and has the socket read no more. */
  public void pause(Channel channel) {
    paused = true;
    resuming = false;
    channel.config().setAutoRead(false);
  }

  public boolean isPaused() {
    return paused;
  }

  /**
   * Goes on, on a fresh stack: with what has arrived, then with what waits in front of this, then
   * with the socket.
   */
  public void resume(Channel channel) {
    if (paused && !resuming) {
      resuming = true;
      channel.eventLoop().execute(() -> goOn(channel));
    }
  }

  /** Not a task at once: those run before others' packets are read. */
  private void rest(Channel channel) {
    pause(channel);
    resuming = true;
    channel.eventLoop().schedule(() -> goOn(channel), REST_MICROSECONDS, TimeUnit.MICROSECONDS);
  }

  /** What is to run whenever this has gone on, behind what has been passed on then. */
  public void whenResumed(Runnable then) {
    resumed = then;
  }

  /** What stands in front of this and holds back while it is paused. */
  public void upstream(Runnable goesOn) {
    upstream = goesOn;
  }

  private void goOn(Channel channel) {
    if (!resuming || !channel.isActive()) {
      return;
    }
    paused = false;
    resuming = false;
    ChannelHandlerContext ctx = context;
    if (ctx != null && !broken) {
      try {
        decode(ctx, false);
      } catch (DecoderException e) {
        ctx.fireExceptionCaught(e);
      }
    }
    Runnable before = upstream;
    if (before != null && !paused) {
      before.run();
    }
    if (!paused) {
      channel.config().setAutoRead(true);
    }
    resumed.run();
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
    decode(ctx, before == null);
  }

  /**
   * @param isShared whether what has arrived is in the buffer that all channels are read into
   */
  private void decode(ChannelHandlerContext ctx, boolean isShared) {
    boolean shared = isShared;
    try {
      do {
        // Whoever gets a frame may take what follows, or have more read, or none.
        int fired = 0;
        for (Frame frame = next(ctx); frame != null; frame = next(ctx)) {
          hasFired = true;
          ctx.fireChannelRead(frame);
          if (++fired == MOST_AT_ONCE && !paused) {
            rest(ctx.channel());
          }
        }
        ByteBuf part = arrived;
        if (shared && part != null) {
          // It does not hold on to the buffer that all channels are read into.
          arrived = ctx.alloc().buffer(part.readableBytes()).writeBytes(part);
          part.release();
        }
        shared = false;
      } while (beginsToSkip());
    } catch (ProtocolViolationException e) {
      broken = true;
      release();
      throw new DecoderException(e);
    }
  }

  /** Counts what is kept; a payload that there is no room for is kept no longer. */
  private boolean beginsToSkip() {
    RuntimeException refusal = room.keeps(kept());
    if (refusal == null || skipped != null) {
      return false;
    }
    var passedOver = new SkippedPayload(refusal);
    CompositeByteBuf parts = joined;
    if (parts == null) {
      nextSequence = expected;
    } else {
      passedOver.past(parts);
      parts.release();
      joined = null;
    }
    skipped = passedOver;
    return true;
  }

  private long kept() {
    ByteBuf part = arrived;
    CompositeByteBuf parts = joined;
    return (part == null ? 0L : part.capacity()) + (parts == null ? 0L : parts.capacity());
  }

  private static ByteBuf joined(ChannelHandlerContext ctx, ByteBuf before, ByteBuf bytes) {
    try {
      int more = bytes.readableBytes();
      if (before.refCnt() == 1 && before.writableBytes() >= more) {
        return before.writeBytes(bytes);
      }
      int length = before.readableBytes() + more;
      ByteBuf all = ctx.alloc().buffer(Math.max(length, Math.min(2 * length, packet(before))));
      all.writeBytes(before).writeBytes(bytes);
      before.release();
      return all;
    } finally {
      bytes.release();
    }
  }

  /** How long the packet is whose first bytes are there; what fits into one read if unknown. */
  private static int packet(ByteBuf in) {
    return in.readableBytes() < PacketWriter.HEADER_SIZE
        ? 0
        : in.getUnsignedMediumLE(in.readerIndex()) + PacketWriter.HEADER_SIZE;
  }

  private @Nullable Frame next(ChannelHandlerContext ctx) {
    Frame frame = null;
    while (frame == null && !paused) {
      SkippedPayload passedOver = skipped;
      if (passedOver != null) {
        if (!skip(passedOver)) {
          return null;
        }
        frame = passedOver.isLast() ? passedOver.frame(lastSequence) : null;
        skipped = frame == null ? passedOver : null;
      } else {
        ByteBuf part = nextPart();
        if (part == null) {
          return null;
        }
        frame = complete(ctx, part);
      }
    }
    return frame;
  }

  /** Whether the packet that arrives has been passed over to its end. */
  private boolean skip(SkippedPayload passedOver) {
    ByteBuf in = arrived;
    if (passedOver.isAtPacketEnd()) {
      if (in == null || in.readableBytes() < PacketWriter.HEADER_SIZE) {
        return false;
      }
      int length = header(in, nextSequence, passedOver.total());
      in.skipBytes(PacketWriter.HEADER_SIZE);
      nextSequence = (lastSequence + 1) & 0xFF;
      passedOver.packet(length);
    }
    if (in != null) {
      passedOver.skip(in);
      if (!in.isReadable()) {
        in.release();
        arrived = null;
      }
    }
    return passedOver.isAtPacketEnd();
  }

  /**
   * The length of the packet whose header is there; what it is of is checked.
   *
   * @param before bytes of the payload in earlier packets
   */
  private int header(ByteBuf in, int wanted, long before) {
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    int sequence = in.getUnsignedByte(start + 3);
    if (sequence != wanted && !ignoresSequence) {
      throw ProtocolViolationException.outOfOrder(wanted, sequence);
    }
    if (length + before > maxPayload) {
      throw ProtocolViolationException.tooLarge();
    }
    lastSequence = sequence;
    return length;
  }

  /** The next packet's payload; what it is of is checked as soon as its header is there. */
  private @Nullable ByteBuf nextPart() {
    ByteBuf in = arrived;
    if (in == null || in.readableBytes() < PacketWriter.HEADER_SIZE) {
      return null;
    }
    CompositeByteBuf parts = joined;
    int length =
        parts == null ? header(in, expected, 0) : header(in, nextSequence, parts.readableBytes());
    int more = in.readableBytes() - PacketWriter.HEADER_SIZE - length;
    if (more < 0) {
      return null;
    }
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
    boolean needsMore = !hasFired && !paused && !ctx.channel().config().isAutoRead();
    hasFired = false;
    if (needsMore) {
      ctx.read();
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    release();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    context = null;
    release();
  }

  private void release() {
    takeUndecoded().release();
    if (joined != null) {
      joined.release();
      joined = null;
    }
    room.keeps(0);
  }
}
