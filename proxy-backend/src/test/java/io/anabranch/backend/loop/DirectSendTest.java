package io.anabranch.backend.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Numbers go out on a real socket, whose other side reads when the test wants it to. */
class DirectSendTest {

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private Socket peer;
  private Channel channel;

  @BeforeEach
  void connect() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      channel =
          new Bootstrap()
              .group(loops)
              .channel(EpollSocketChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(server.getLocalSocketAddress())
              .sync()
              .channel();
      peer = server.accept();
      peer.setSoTimeout(30_000);
    }
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }

  /** What the socket does not take at once goes out later, and nothing overtakes it. */
  @Test
  void sendsInOrderWhereTheOtherSideIsSlow() throws Exception {
    int longOne = 4 << 20;
    loops
        .submit(
            () -> {
              DirectSend.send(channel, numbers(0, longOne));
              for (int i = 0; i < 1000; i++) {
                DirectSend.send(channel, numbers(longOne + i, 1));
              }
            })
        .sync();
    expectNumbers(longOne + 1000);
  }

  @Test
  void waitsForWhatWasWrittenBefore() throws Exception {
    loops
        .submit(
            () -> {
              channel.write(numbers(0, 3));
              DirectSend.send(channel, numbers(3, 2));
            })
        .sync();
    expectNumbers(5);
  }

  /** As TLS and compression do. */
  @Test
  void passesByNobodyWhoChangesBytes() throws Exception {
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext ctx, Object message, ChannelPromise done) {
                ByteBuf number = (ByteBuf) message;
                ctx.write(number.setInt(number.readerIndex(), 0), done);
              }
            });
    loops.submit(() -> DirectSend.send(channel, numbers(77, 1))).sync();
    expectNumbers(1);
  }

  /** The number of a closed socket may be another's by now. */
  @Test
  void sendsNothingOnAClosedChannel() throws Exception {
    channel.close().sync();
    ByteBuf late = numbers(0, 1);
    loops.submit(() -> DirectSend.send(channel, late)).sync();
    assertThat(late.refCnt()).isZero();
    assertThat(peer.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void closesWhereTheOtherSideIsGone() throws Exception {
    peer.setSoLinger(true, 0);
    peer.close();
    while (channel.isActive()) {
      loops.submit(() -> DirectSend.send(channel, numbers(0, 1))).sync();
    }
    channel.closeFuture().sync();
  }

  private ByteBuf numbers(int first, int count) {
    ByteBuf out = channel.alloc().directBuffer(count * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      out.writeInt(first + i);
    }
    return out;
  }

  private void expectNumbers(int count) throws IOException {
    var in = new DataInputStream(new BufferedInputStream(peer.getInputStream()));
    for (int i = 0; i < count; i++) {
      assertThat(in.readInt()).isEqualTo(i);
    }
  }
}
