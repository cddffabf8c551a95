package io.anabranch.frontend.transport;

import io.anabranch.backend.loop.RelayLoops;
import io.anabranch.backend.pool.wire.DatabaseChannels;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How the kernel is talked to. One choice per process: clients' and databases' channels share the
 * event loops, so they must be of the same kind.
 */
public enum Transport {
  EPOLL(
      EpollServerSocketChannel.class,
      EpollServerDomainSocketChannel.class,
      EpollSocketChannel.class,
      EpollDomainSocketChannel.class),
  NIO(
      NioServerSocketChannel.class,
      NioServerDomainSocketChannel.class,
      NioSocketChannel.class,
      NioDomainSocketChannel.class),
  IO_URING(
      IoUringServerSocketChannel.class,
      IoUringServerDomainSocketChannel.class,
      IoUringSocketChannel.class,
      IoUringDomainSocketChannel.class);

  private static final int PROBES = 3;

  private final Class<? extends ServerChannel> serverChannel;
  private final Class<? extends ServerChannel> fileChannel;
  private final Class<? extends SocketChannel> socketChannel;
  private final Class<? extends Channel> socketOfFile;

  Transport(
      Class<? extends ServerChannel> serverChannel,
      Class<? extends ServerChannel> fileChannel,
      Class<? extends SocketChannel> socketChannel,
      Class<? extends Channel> socketOfFile) {
    this.serverChannel = serverChannel;
    this.fileChannel = fileChannel;
    this.socketChannel = socketChannel;
    this.socketOfFile = socketOfFile;
  }

  /**
   * The transport that {@code name} asks for: {@code auto} is epoll where there is one, otherwise
   * NIO.
   *
   * @throws IllegalArgumentException if the name is none, or this machine does not have it
   */
  public static Transport choose(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "auto" -> Epoll.isAvailable() ? EPOLL : NIO;
      case "nio" -> NIO;
      case "epoll" -> demand(EPOLL, Epoll.isAvailable());
      case "io_uring" -> demand(IO_URING, IoUring.isAvailable());
      default ->
          throw new IllegalArgumentException(
              "transport '" + name + "' is none of auto, epoll, nio, io_uring");
    };
  }

  private static Transport demand(Transport transport, boolean available) {
    if (!available) {
      throw new IllegalArgumentException(
          "transport '"
              + transport.name().toLowerCase(Locale.ROOT)
              + "' does not work on this machine; use auto");
    }
    return transport;
  }

  public Class<? extends ServerChannel> serverChannel() {
    return serverChannel;
  }

  /** Listens on a {@link SocketFile}. */
  public Class<? extends ServerChannel> fileChannel() {
    return fileChannel;
  }

  /** Makes channels to databases, of which {@link #watch} is taken care. */
  public DatabaseChannels channels(int keepAliveSeconds) {
    var toHosts = new ReflectiveChannelFactory<>(socketChannel);
    var toFiles = new ReflectiveChannelFactory<>(socketOfFile);
    return new DatabaseChannels() {
      @Override
      public Channel toHost() {
        SocketChannel channel = toHosts.newChannel();
        watch(channel, keepAliveSeconds, 0);
        return channel;
      }

      @Override
      public Channel toFile() {
        return toFiles.newChannel();
      }

      @Override
      public SocketAddress address(String file) {
        return Transport.this.address(Path.of(file));
      }
    };
  }

  /** The address of a socket's file, for channels of this kind. */
  SocketAddress address(Path file) {
    return this == NIO
        ? UnixDomainSocketAddress.of(file)
        : new DomainSocketAddress(file.toString());
  }

  /**
   * Has the kernel look whether the peer is still there, where it may be told how often: not with
   * NIO, which leaves it to the system's settings.
   *
   * @param keepAliveSeconds until a peer that is gone without a word is noticed; 0: the system's
   * @param unsentSeconds until data must have been taken by the peer; 0: the system's
   */
  public static void watch(Channel channel, int keepAliveSeconds, int unsentSeconds) {
    int idle = Math.max(1, keepAliveSeconds / 2);
    int interval = Math.max(1, keepAliveSeconds / (2 * PROBES));
    int unsent = Math.multiplyExact(unsentSeconds, 1000);
    switch (channel) {
      case EpollSocketChannel epoll -> {
        if (keepAliveSeconds > 0) {
          epoll.config().setTcpKeepIdle(idle).setTcpKeepIntvl(interval).setTcpKeepCnt(PROBES);
        }
        if (unsent > 0) {
          epoll.config().setTcpUserTimeout(unsent);
        }
      }
      case IoUringSocketChannel uring -> {
        if (keepAliveSeconds > 0) {
          uring.config().setOption(IoUringChannelOption.TCP_KEEPIDLE, idle);
          uring.config().setOption(IoUringChannelOption.TCP_KEEPINTVL, interval);
          uring.config().setOption(IoUringChannelOption.TCP_KEEPCNT, PROBES);
        }
        if (unsent > 0) {
          uring.config().setOption(IoUringChannelOption.TCP_USER_TIMEOUT, unsent);
        }
      }
      default -> {}
    }
  }

  /**
   * Starts event loops for this transport.
   *
   * @param count 0: one per core
   * @param name prefix of the threads' names
   */
  public EventLoopGroup eventLoops(int count, String name) {
    int threads = count > 0 ? count : Runtime.getRuntime().availableProcessors();
    return new RelayLoops(threads, new DefaultThreadFactory(name), ioHandler());
  }

  private IoHandlerFactory ioHandler() {
    return switch (this) {
      case EPOLL -> EpollIoHandler.newFactory();
      case NIO -> NioIoHandler.newFactory();
      case IO_URING -> IoUringIoHandler.newFactory();
    };
  }
}
