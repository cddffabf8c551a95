package io.anabranch.backend.pool.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenChannelsTest {

  private static final int SERVER_READS_MILLISECONDS = 10_000;

  private final OpenChannels channels =
      new OpenChannels(DatabaseChannels.of(NioSocketChannel::new));
  private final EventLoopGroup from = loop();
  private final EventLoopGroup to = loop();

  private static EventLoopGroup loop() {
    return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  @AfterEach
  void end() {
    for (EventLoopGroup loops : List.of(from, to)) {
      loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void closesWhatIsOnItsWayToAnotherLoop() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Channel channel = connect(server);
      try (Socket peer = server.accept()) {
        var arrival = new CountDownLatch(1);
        var _ = to.submit(() -> arrival.await(1, TimeUnit.MINUTES));
        channel.deregister().sync();
        ChannelFuture registered = to.register(channel);
        Thread closing = Thread.ofVirtual().start(channels::close);
        arrival.countDown();

        closing.join();

        assertThat(channel.isOpen()).isFalse();
        assertThat(registered.await(1, TimeUnit.MINUTES)).isTrue();
        peer.setSoTimeout(SERVER_READS_MILLISECONDS);
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void makesNoneAfterwards() throws Exception {
    Channel unregistered = channels.toHost();
    channels.close();
    unregistered.unsafe().closeForcibly();
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> connect(server))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the proxy ends");
    }
  }

  private Channel connect(ServerSocket server) throws InterruptedException {
    return new Bootstrap()
        .group(from)
        .channelFactory(channels::toHost)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(server.getLocalSocketAddress())
        .sync()
        .channel();
  }
}
