package io.anabranch.frontend.admin;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets a client's next request through when the one before is answered: those that are sent ahead
 * are done and answered in their order. The rest waits in the socket.
 */
final class RequestQueue extends ChannelDuplexHandler {

  private final Deque<Object> waiting = new ArrayDeque<>();
  private boolean isBusy;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest && isBusy) {
      waiting.add(message);
      ctx.channel().config().setAutoRead(false);
      return;
    }
    isBusy |= message instanceof FullHttpRequest;
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ctx.write(message, promise);
    if (message instanceof FullHttpResponse) {
      // not within the write: what is answered at once would be written in front of it
      ctx.executor().execute(() -> next(ctx));
    }
  }

  private void next(ChannelHandlerContext ctx) {
    Object request = ctx.channel().isActive() ? waiting.poll() : null;
    isBusy = request != null;
    if (request != null) {
      ctx.fireChannelRead(request);
    } else {
      ctx.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    ctx.fireChannelInactive();
  }
}
