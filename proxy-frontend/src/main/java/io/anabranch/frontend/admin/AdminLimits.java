package io.anabranch.frontend.admin;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/** Closes connections beyond so many. Shared by all of a port; thread-safe. */
@Sharable
final class AdminLimits extends ChannelInboundHandlerAdapter {

  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  AdminLimits(int most) {
    this.most = most;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (open.incrementAndGet() > most) {
      ctx.close();
    } else {
      ctx.fireChannelActive();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    open.decrementAndGet();
    ctx.fireChannelInactive();
  }
}
