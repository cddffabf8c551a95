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

/**
 * Stands in a client's channel while the client sends a file and gives its packets to a {@link
 * FileReceiver}: commands that follow go on as ever. The socket is not read while much of the file
 * waits.
 */
final class FilePackets extends ChannelInboundHandlerAdapter {

  private static final int MOST_WAITING = 1 << 20;

  private final FrameDecoder frames;
  private final FileReceiver receiver;
  private long waiting;
  private boolean paused;
  private boolean over;

  private FilePackets(FrameDecoder frames, FileReceiver receiver) {
    this.frames = frames;
    this.receiver = receiver;
  }

  /**
   * @param sequence of the client's next packet
   */
  static void expect(Channel channel, int sequence, FileReceiver receiver) {
    FrameDecoder frames = channel.pipeline().get(FrameDecoder.class);
    boolean hasEnded = channel instanceof DuplexChannel duplex && duplex.isInputShutdown();
    if (frames == null || hasEnded || !channel.isActive()) {
      receiver.gone();
      return;
    }
    frames.expectSequence(sequence);
    String decoder = channel.pipeline().context(frames).name();
    channel.pipeline().addAfter(decoder, null, new FilePackets(frames, receiver));
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
