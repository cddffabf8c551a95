package io.anabranch.backend.pool.wire;

import io.anabranch.backend.loop.ReceiveBuffers;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Opens one channel for the driver. Bound to {@link #CURRENT} while the driver connects, because
 * the driver makes its socket factory by name and gives it nothing.
 */
public final class Dialer {

  public static final ScopedValue<Dialer> CURRENT = ScopedValue.newInstance();

  private final BackendTransport transport;
  private final @Nullable String file;
  private final @Nullable InetSocketAddress at;
  private final WireConnection connection = new WireConnection();

  /**
   * @param file of a socket of this machine, to which it connects whatever the driver says; null:
   *     there is none
   * @param at where the server is, whatever its name stands for now; null: that decides
   */
  public Dialer(BackendTransport transport, @Nullable String file, @Nullable InetSocketAddress at) {
    this.transport = transport;
    this.file = file;
    this.at = at;
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
    Bootstrap bootstrap =
        new Bootstrap()
            .group(transport.loops().next())
            .channelFactory(this::newChannel)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMilliseconds)
            .handler(connection);
    ChannelFuture connected;
    if (file == null) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
      connected = bootstrap.connect(at != null ? at : resolved(address));
    } else {
      connected = bootstrap.connect(transport.channels().address(file));
    }
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

  /** Netty's own resolver would be one thread more. */
  private static InetSocketAddress resolved(InetSocketAddress address) {
    return address.isUnresolved()
        ? new InetSocketAddress(address.getHostString(), address.getPort())
        : address;
  }

  private Channel newChannel() {
    Channel channel = file == null ? transport.channels().toHost() : transport.channels().toFile();
    ReceiveBuffers.install(channel);
    return channel;
  }
}
