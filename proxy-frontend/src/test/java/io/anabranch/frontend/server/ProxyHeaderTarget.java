package io.anabranch.frontend.server;

import io.anabranch.testkit.CountingAllocator;
import io.anabranch.testkit.FuzzInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What may begin with a header of the PROXY protocol: an address and the bytes behind the header,
 * all bytes if there is none, or a malformed header; the same however the bytes are cut.
 */
public final class ProxyHeaderTarget {

  private static final int FEW = 8192;
  private static final int LONGEST_LINE = 107;

  private ProxyHeaderTarget() {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first byte chooses how the others are cut
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    int how = 2 + input.choice(250);
    byte[] bytes = input.rest();
    if (isTooLong(bytes)) {
      return;
    }
    String whole = seen(bytes, 0);
    for (int each : new int[] {1, how}) {
      String cut = seen(bytes, each);
      if (!cut.equals(whole)) {
        throw new IllegalStateException("cut otherwise: " + cut + " instead of " + whole);
      }
    }
  }

  /** A line longer than the protocol allows is taken or not, as it comes. */
  private static boolean isTooLong(byte[] bytes) {
    String begin =
        new String(bytes, 0, Math.min(bytes.length, LONGEST_LINE), StandardCharsets.ISO_8859_1);
    return begin.startsWith("PROXY") && begin.length() == LONGEST_LINE && !begin.contains("\r\n");
  }

  private static String seen(byte[] bytes, int how) {
    var counting = new CountingAllocator();
    var client = new Client();
    var channel = new EmbeddedChannel();
    channel.config().setAllocator(counting);
    var closing = new Closing();
    channel.pipeline().addLast(closing, new ProxyHeaders(), client);
    for (byte[] piece : FuzzInput.pieces(bytes, how)) {
      channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(piece));
      channel.pipeline().fireChannelReadComplete();
    }
    closing.isDue = true;
    channel.finishAndReleaseAll();
    if (client.unexpected != null) {
      throw new IllegalStateException(client.unexpected);
    }
    if (counting.held() != 0) {
      throw new IllegalStateException(counting.held() + " bytes are not given back");
    }
    if (counting.asked() > FEW + 64L * bytes.length) {
      throw new IllegalStateException(counting.asked() + " bytes asked for " + bytes.length);
    }
    if (client.isBroken && !client.bytes.isEmpty()) {
      throw new IllegalStateException("bytes behind a malformed header");
    }
    return client.isBroken ? "malformed" : client.source + client.bytes;
  }

  /** A socket is not closed at once, but behind what is thrown. */
  private static final class Closing extends ChannelOutboundHandlerAdapter {
    private boolean isDue;

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
      if (isDue) {
        ctx.close(promise);
      } else {
        promise.setSuccess();
      }
    }
  }

  private static final class Client extends ChannelInboundHandlerAdapter {
    private final StringBuilder bytes = new StringBuilder();
    private String source = "";
    private boolean isBroken;
    private @Nullable Throwable unexpected;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      switch (message) {
        case ProxyHeaders.Source(var address, int port) -> {
          if (port < 0 || port > 0xFFFF || !bytes.isEmpty()) {
            unexpected = new IllegalStateException("a source behind bytes, or of port " + port);
          }
          source += address + ":" + port + " ";
        }
        case ByteBuf more -> {
          bytes.append(ByteBufUtil.hexDump(more));
          more.release();
        }
        default -> unexpected = new IllegalStateException("what is " + message);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // as ClientFaults looks at it
      boolean isWrapped = cause instanceof DecoderException && cause.getCause() != null;
      if (!((isWrapped ? cause.getCause() : cause) instanceof HAProxyProtocolException)) {
        unexpected = cause;
      }
      isBroken = true;
    }
  }
}
