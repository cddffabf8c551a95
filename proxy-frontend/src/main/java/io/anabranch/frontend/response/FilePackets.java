package io.anabranch.frontend.response;

import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in a client's channel while the client sends a file and gives its packets to a {@link
 * FileReceiver}: commands that follow go on as ever. The socket is not read while much of the file
 * waits. A client that sends nothing for too long, while all that it has sent is taken, is closed,
 * as by a server's net_read_timeout: databases would keep their connections for it.
 */
final class FilePackets extends ChannelInboundHandlerAdapter {

  private static final Logger log = LoggerFactory.getLogger(FilePackets.class);
  private static final int MOST_WAITING = 1 << 20;

  /** How often in the time of the limit is looked whether something has come. */
  private static final int LOOKS = 8;

  private final FrameDecoder frames;
  private final FileReceiver receiver;
  private final long limitNanos;
  private boolean progressed;

  /** When it was seen last that something came or was still to be taken, by the loop's clock. */
  private long since;

  private @Nullable Future<?> timer;
  private long waiting;
  private boolean paused;
  private boolean over;

  private FilePackets(FrameDecoder frames, FileReceiver receiver, long limitNanos) {
    this.frames = frames;
    this.receiver = receiver;
    this.limitNanos = limitNanos;
  }

  /**
   * @param sequence of the client's next packet
   * @param limitNanos how long the client may be silent; 0: as long as it likes
   */
  static void expect(Channel channel, int sequence, FileReceiver receiver, long limitNanos) {
    FrameDecoder frames = channel.pipeline().get(FrameDecoder.class);
    boolean hasEnded = channel instanceof DuplexChannel duplex && duplex.isInputShutdown();
    if (frames == null || hasEnded || !channel.isActive()) {
      receiver.gone();
      return;
    }
    frames.expectSequence(sequence);
    String decoder = channel.pipeline().context(frames).name();
    channel.pipeline().addAfter(decoder, null, new FilePackets(frames, receiver, limitNanos));
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    if (limitNanos > 0) {
      since = now(ctx);
      look(ctx);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    Future<?> waits = timer;
    if (waits != null) {
      waits.cancel(false);
    }
  }

  private static long now(ChannelHandlerContext ctx) {
    return ctx.channel().eventLoop().ticker().nanoTime();
  }

  private void look(ChannelHandlerContext ctx) {
    timer =
        ctx.channel()
            .eventLoop()
            .schedule(() -> check(ctx), limitNanos / LOOKS, TimeUnit.NANOSECONDS);
  }

  private void check(ChannelHandlerContext ctx) {
    if (over || !ctx.channel().isActive()) {
      return;
    }
    if (progressed || waiting > 0) {
      since = now(ctx);
    }
    progressed = false;
    if (now(ctx) - since < limitNanos) {
      look(ctx);
    } else {
      log.info(
          "client at {} closed: it sends nothing of the file that it was asked for",
          ctx.channel().remoteAddress());
      ctx.close();
    }
  }

  /** A packet may take longer than the limit; its parts may not. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    progressed = true;
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    Frame frame = (Frame) message;
    ByteBuf content = frame.payload();
    int length = content.readableBytes();
    if (length == 0) {
      frame.release();
      over = true;
      resume(ctx.channel());
      frames.expectSequence(0);
      ctx.pipeline().remove(this);
      receiver.end(frame.nextSequence());
      return;
    }
    frames.expectSequence(frame.nextSequence());
    waiting += length;
    if (waiting > MOST_WAITING && !paused) {
      paused = true;
      ctx.channel().config().setAutoRead(false);
    }
    receiver.packet(content, () -> taken(ctx.channel(), length));
  }

  /** The rest of the file will not come. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      ctx.close();
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  private void taken(Channel channel, int length) {
    waiting -= length;
    if (waiting <= MOST_WAITING / 2) {
      resume(channel);
    }
  }

  private void resume(Channel channel) {
    if (paused) {
      paused = false;
      channel.config().setAutoRead(true);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (!over) {
      over = true;
      receiver.gone();
    }
    ctx.fireChannelInactive();
  }
}
