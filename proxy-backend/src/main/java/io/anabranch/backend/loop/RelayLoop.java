package io.anabranch.backend.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/** An event loop with a buffer at hand for each direction. */
public final class RelayLoop extends SingleThreadIoEventLoop {

  private final SpareBuffer arriving = new SpareBuffer();
  private final SpareBuffer leaving = new SpareBuffer();

  RelayLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory io) {
    super(group, executor, io);
    terminationFuture()
        .addListener(
            ended -> {
              arriving.release();
              leaving.release();
            });
  }

  /**
   * An empty buffer for packets that are written to a channel within this event; on the channel's
   * event loop, whatever its kind.
   *
   * @param expected bytes
   */
  public static ByteBuf leaving(Channel channel, int expected) {
    return channel.eventLoop() instanceof RelayLoop loop
        ? loop.leaving.take(channel.alloc(), expected)
        : channel.alloc().ioBuffer(expected);
  }

  /** As {@link #leaving}, for what is read from the channel. */
  static ByteBuf arriving(Channel channel, ByteBufAllocator allocator, int expected) {
    return channel.eventLoop() instanceof RelayLoop loop
        ? loop.arriving.take(allocator, expected)
        : allocator.ioBuffer(expected);
  }
}
