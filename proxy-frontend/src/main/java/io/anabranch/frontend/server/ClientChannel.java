package io.anabranch.frontend.server;

import io.anabranch.protocol.compression.CompressedProtocol;
import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.FrameRoom;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * One client's channel as packets: writes those of the handshake, and puts TLS and compression into
 * the pipeline when the client has asked for them; without, nothing stands between socket and
 * packets. On its event loop.
 */
final class ClientChannel {

  /** How long a client may go on sending before it must have read that it was refused. */
  private static final long LINGER_SECONDS = 5;

  private final Channel channel;
  private final FrameDecoder frames;
  private @Nullable CompressedProtocol compression;
  private FrameRoom room = FrameRoom.UNLIMITED;

  /**
   * @param frames in the channel's pipeline
   */
  ClientChannel(Channel channel, FrameDecoder frames) {
    this.channel = channel;
    this.frames = frames;
  }

  Channel channel() {
    return channel;
  }

  /** The next packets start with this sequence number. */
  void expectSequence(int first) {
    frames.expectSequence(first);
  }

  /** What the client sends is not taken, for now. */
  void pause() {
    frames.pause(channel);
  }

  boolean isPaused() {
    return frames.isPaused();
  }

  /** It is taken again, on a fresh stack. */
  void resume() {
    frames.resume(channel);
  }

  /** What is to run whenever what had arrived by then has been passed on. */
  void whenResumed(Runnable then) {
    frames.whenResumed(then);
  }

  /** Where is counted what is kept of its packets. */
  void room(FrameRoom where, long uncounted) {
    room = where;
    frames.room(where, uncounted);
  }

  void maxPayload(long bytes) {
    frames.maxPayload(bytes);
  }

  /** Writes a packet and expects the client's next. */
  void send(byte[] payload, int sequence) {
    frames.expectSequence(write(payload, sequence));
  }

  /**
   * Writes a packet that another one of ours follows.
   *
   * @return the sequence number of that
   */
  int write(byte[] payload, int sequence) {
    ByteBuf out = channel.alloc().buffer(payload.length + PacketWriter.HEADER_SIZE);
    int next = PacketWriter.write(out, sequence, payload);
    channel.writeAndFlush(out);
    return next;
  }

  /** Writes a packet that {@code encoder} makes, and expects the client's next. */
  void send(Consumer<ByteBuf> encoder, int sequence) {
    ByteBuf out = channel.alloc().buffer();
    int start = PacketWriter.begin(out);
    encoder.accept(out);
    frames.expectSequence(PacketWriter.end(out, start, sequence));
    channel.writeAndFlush(out);
  }

  /** Closes once all that was written has been sent. */
  void closeWhenSent() {
    // from the head on: what compresses or encrypts has nothing to do with it
    channel
        .pipeline()
        .firstContext()
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(ChannelFutureListener.CLOSE);
  }

  /**
   * Whether what is sent waits for more, 200 ms at most: an answer and the end of the connection
   * behind it arrive at once, so that a pool which looks before it sends cannot see one without the
   * other. Nothing happens where the system does not know of it.
   */
  void cork(boolean whether) {
    channel.config().setOption(EpollChannelOption.TCP_CORK, whether);
  }

  void sendAndClose(ErrPacket error, int sequence) {
    ByteBuf out = packet(error, sequence);
    channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }

  /**
   * For a client that is in the middle of sending: were the connection closed at once, the system
   * would throw away the error before the client reads it. What it still sends is dropped.
   */
  void sendAndLinger(ErrPacket error, int sequence) {
    channel.config().setAutoRead(true);
    ByteBuf out = packet(error, sequence);
    channel
        .writeAndFlush(out)
        .addListener(
            _ -> {
              if (channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
              }
            });
    channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
  }

  private ByteBuf packet(ErrPacket error, int sequence) {
    ByteBuf out = channel.alloc().buffer();
    int start = PacketWriter.begin(out);
    error.encode(out, StandardCharsets.UTF_8);
    PacketWriter.end(out, start, sequence);
    return out;
  }

  /** What the client sends from here on is TLS, also what has arrived already. */
  void startTls(SslHandler handler) {
    ByteBuf arrived = frames.takeUndecoded();
    channel.pipeline().addFirst(handler);
    channel.pipeline().fireChannelRead(arrived);
  }

  /** Whether the client has shown a certificate over TLS; only those vouched for get so far. */
  boolean hasClientCertificate() {
    SslHandler handler = channel.pipeline().get(SslHandler.class);
    if (handler == null) {
      return false;
    }
    try {
      return handler.engine().getSession().getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }

  /** After this packet both sides compress. */
  void startCompression(CompressionAlgorithm algorithm, int zstdLevel) {
    CompressedProtocol handler =
        CompressedProtocol.of(algorithm, zstdLevel, room, frames::isPaused);
    ByteBuf arrived = frames.takeUndecoded();
    // What changes the bytes on their way out stands first: see DirectSend.
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    if (tls == null) {
      channel.pipeline().addFirst(handler);
    } else {
      channel.pipeline().addAfter(tls.name(), "compression", handler);
    }
    frames.ignoreSequence();
    compression = handler;
    ChannelHandlerContext own = channel.pipeline().context(handler);
    frames.upstream(() -> handler.goOn(own));
    try {
      handler.channelRead(own, arrived);
    } catch (Exception e) {
      channel.pipeline().fireExceptionCaught(e);
    }
  }

  /** Sequence number of the compressed packet that arrived last; 0 without compression. */
  int compressedSequence() {
    CompressedProtocol handler = compression;
    return handler == null ? 0 : handler.lastReceived();
  }

  /**
   * What is written from now on answers a command.
   *
   * @param compressedSequence when it had arrived
   */
  void answers(int compressedSequence) {
    CompressedProtocol handler = compression;
    if (handler != null) {
      handler.answers(compressedSequence);
    }
  }
}
