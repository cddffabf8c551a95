package io.anabranch.frontend.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The HTTP port for operators. Thread-safe. */
public final class AdminServer implements AutoCloseable {

  private static final int MAX_REQUEST = 64 * 1024;

  /** For more, those go whose requests do not come. */
  private static final int MOST_CONNECTIONS = 100;

  /** How long a request may take to arrive, and a connection may be without one. */
  private static final long REQUEST_SECONDS = 30;

  private final EventLoopGroup loop;
  private final Channel listener;

  private AdminServer(EventLoopGroup loop, Channel listener) {
    this.loop = loop;
    this.listener = listener;
  }

  /**
   * Binds and answers from then on.
   *
   * @param address port 0 lets the system choose
   * @throws RuntimeException if the address cannot be bound
   */
  public static AdminServer start(InetSocketAddress address, AdminContent content) {
    var loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("admin", true), NioIoHandler.newFactory());
    var limits = new AdminLimits(MOST_CONNECTIONS);
    try {
      Channel listener =
          new ServerBootstrap()
              .group(loop)
              .channel(NioServerSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      install(channel, limits, new AdminHandler(content));
                    }
                  })
              .bind(address)
              .syncUninterruptibly()
              .channel();
      return new AdminServer(loop, listener);
    } catch (Throwable t) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw t;
    }
  }

  /** Puts what reads requests into a fresh channel, in front of what answers them. */
  static void install(Channel channel, AdminLimits limits, AdminHandler answers) {
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(MAX_REQUEST))
        .addLast(limits)
        .addLast(new RequestDeadline(REQUEST_SECONDS))
        .addLast(new RequestQueue())
        .addLast(answers);
  }

  /** Where it listens, the real port included. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
