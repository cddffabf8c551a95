package io.anabranch.frontend.admin;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose next request has not come whole in time, however slowly its bytes drip,
 * or that takes nothing of its answer. Of one channel, behind the decoder; on its event loop.
 */
final class RequestDeadline extends ChannelDuplexHandler {

  private final long seconds;
  private @Nullable Future<?> timer;

  RequestDeadline(long seconds) {
    this.seconds = seconds;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    start(ctx);
    ctx.fireChannelActive();
  }

  /** A whole request: it is answered in the time that this takes. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object request) {
    stop();
    ctx.fireChannelRead(request);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object answer, ChannelPromise promise) {
    start(ctx);
    ctx.write(answer, promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop();
    ctx.fireChannelInactive();
  }

  private void start(ChannelHandlerContext ctx) {
    stop();
    timer = ctx.executor().schedule(() -> ctx.close(), seconds, TimeUnit.SECONDS);
  }

  private void stop() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
      timer = null;
    }
  }
}
