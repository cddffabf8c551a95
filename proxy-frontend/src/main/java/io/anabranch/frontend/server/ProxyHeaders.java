package io.anabranch.frontend.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ProtocolDetectionResult;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the first thing that comes is a header of the <a
 * href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">PROXY protocol</a>, version 1
 * or 2, and tells the following handlers the address in it as a {@link Source}. Without header all
 * goes on as it is. Then it removes itself.
 */
final class ProxyHeaders extends ByteToMessageDecoder {

  /** Where a client comes from, as the proxy in front of us says. */
  record Source(InetAddress address, int port) {}

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ProtocolDetectionResult<HAProxyProtocolVersion> result =
        HAProxyMessageDecoder.detectProtocol(in);
    switch (result.state()) {
      case NEEDS_MORE_DATA -> {}
      case INVALID -> ctx.pipeline().remove(this);
      case DETECTED -> {
        ctx.pipeline()
            .addAfter(ctx.name(), "proxy-source", new Reader())
            .addAfter(ctx.name(), "proxy-header", new HAProxyMessageDecoder());
        ctx.pipeline().remove(this);
      }
    }
  }

  private static final class Reader extends ChannelInboundHandlerAdapter {

    private boolean isBroken;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (isBroken) {
        ReferenceCountUtil.release(message);
        return;
      }
      if (!(message instanceof HAProxyMessage header)) {
        ctx.fireChannelRead(message);
        return;
      }
      InetAddress source;
      int port = header.sourcePort();
      try {
        source = source(header);
      } finally {
        header.release();
      }
      if (source != null) {
        ctx.fireChannelRead(new Source(source, port));
      }
      ctx.pipeline().remove(this);
    }

    /** Netty's decoder says of some malformed headers only what it stumbles over. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      isBroken = true;
      boolean isTold = cause instanceof HAProxyProtocolException;
      ctx.fireExceptionCaught(isTold ? cause : new HAProxyProtocolException("malformed header"));
    }

    /** Null for the proxy's own connections (health checks) and for what is no IP. */
    private static @Nullable InetAddress source(HAProxyMessage header) {
      String address = header.sourceAddress();
      if (header.command() != HAProxyCommand.PROXY || address == null) {
        return null;
      }
      return switch (header.proxiedProtocol().addressFamily()) {
        case AF_IPv4, AF_IPv6 -> InetAddress.ofLiteral(address);
        case AF_UNSPEC, AF_UNIX -> null;
      };
    }
  }
}
