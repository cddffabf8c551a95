package io.anabranch.backend.loop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;

/**
 * Sends packets past the pipeline: most are short and leave within the event that made them, and
 * the way through contexts, outbound queue and promise costs more than all that is done to them.
 *
 * <p>Only where nothing waits and nobody is in between: handlers that change what goes out (TLS,
 * compression) stand first in their pipelines. On the channel's event loop.
 */
public final class DirectSend {

  private DirectSend() {}

  /** Writes and flushes; a failure closes the channel. Takes over {@code packets}. */
  public static void send(Channel channel, ByteBuf packets) {
    if (channel instanceof EpollSocketChannel socket
        && packets.hasMemoryAddress()
        && isOpen(socket)
        && sent(socket, packets)) {
      packets.release();
    } else {
      var _ = channel.writeAndFlush(packets);
    }
  }

  private static boolean isOpen(EpollSocketChannel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting != null
        && waiting.isEmpty()
        && waiting.totalPendingWriteBytes() == 0
        && channel.isActive()
        && !(channel.pipeline().first() instanceof ChannelOutboundHandler);
  }

  /**
   * @return whether the socket has taken everything; if not, the rest is left in {@code packets}
   */
  private static boolean sent(EpollSocketChannel channel, ByteBuf packets) {
    try {
      int taken =
          ((Socket) channel.fd())
              .sendAddress(packets.memoryAddress(), packets.readerIndex(), packets.writerIndex());
      packets.skipBytes(taken);
      return !packets.isReadable();
    } catch (IOException broken) {
      // The pipeline meets the same error, and closes the channel as it should be closed.
      return false;
    }
  }
}
