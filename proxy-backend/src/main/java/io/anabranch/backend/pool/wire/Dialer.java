package io.anabranch.backend.pool.wire;

import io.anabranch.backend.loop.ReceiveBuffers;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Opens one channel for the driver. Bound to {@link #CURRENT} while the driver connects, because
 * the driver makes its socket factory by name and gives it nothing.
 */
public final class Dialer {

  public static final ScopedValue<Dialer> CURRENT = ScopedValue.newInstance();

  private final BackendTransport transport;
  private final WireConnection connection = new WireConnection();

  public Dialer(BackendTransport transport) {
    this.transport = transport;
  }

  public WireConnection connection() {
    return connection;
  }

  /**
   * Blocks; never called on an event loop.
   *
   * @param timeoutMilliseconds 0: the operating system's
   */
  void dial(InetSocketAddress address, int timeoutMilliseconds) throws IOException {
    // Not the unresolved address: Netty's resolver would be one thread more.
    InetSocketAddress resolved =
        address.isUnresolved()
            ? new InetSocketAddress(address.getHostString(), address.getPort())
            : address;
    ChannelFuture connected =
        new Bootstrap()
            .group(transport.loops().next())
            .channelFactory(this::newChannel)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMilliseconds)
            .handler(connection)
            .connect(resolved);
    try {
      connected.await();
    } catch (InterruptedException interrupted) {
      var _ = connected.channel().close();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while connecting to " + address, interrupted);
    }
    if (!connected.isSuccess()) {
      Throwable cause = connected.cause();
      throw new IOException(cause.getMessage(), cause);
    }
  }

  private SocketChannel newChannel() {
    SocketChannel channel = transport.channels().newChannel();
    ReceiveBuffers.install(channel);
    return channel;
  }
}
