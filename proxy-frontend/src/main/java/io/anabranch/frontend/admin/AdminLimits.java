package io.anabranch.frontend.admin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Has no more than so many connections: for one beyond them goes the one whose request has been
 * waited for longest, so that nobody holds the port with requests that never come whole. Those that
 * are being answered stay. Behind the decoder; shared by all of a port, on its one event loop.
 */
@Sharable
final class AdminLimits extends ChannelDuplexHandler {

  private final int most;
  private int open;

  /** Those of which a whole request is expected, in the order in which that began. */
  private final Set<Channel> awaited = new LinkedHashSet<>();

  AdminLimits(int most) {
    this.most = most;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    open++;
    if (open > most && !closeOldest()) {
      ctx.close();
      return;
    }
    awaited.add(ctx.channel());
    ctx.fireChannelActive();
  }

  /** A whole request. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object request) {
    awaited.remove(ctx.channel());
    ctx.fireChannelRead(request);
  }

  /** A whole answer. */
  @Override
  public void write(ChannelHandlerContext ctx, Object answer, ChannelPromise promise) {
    promise.addListener(
        _ -> {
          if (ctx.channel().isActive()) {
            awaited.add(ctx.channel());
          }
        });
    ctx.write(answer, promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    open--;
    awaited.remove(ctx.channel());
    ctx.fireChannelInactive();
  }

  private boolean closeOldest() {
    Iterator<Channel> inOrder = awaited.iterator();
    if (!inOrder.hasNext()) {
      return false;
    }
    Channel oldest = inOrder.next();
    inOrder.remove();
    oldest.close();
    return true;
  }
}
