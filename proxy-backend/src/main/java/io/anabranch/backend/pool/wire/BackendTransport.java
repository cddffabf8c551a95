package io.anabranch.backend.pool.wire;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * How backend channels are made, and watched.
 *
 * @param loops the event loops of the sessions, so that a leased channel can move to its session's
 * @param channels makes channels that fit the loops
 * @param silenceSeconds after so long without a byte the database is asked, on another connection,
 *     whether it still works at a command; 0: never
 */
public record BackendTransport(
    EventLoopGroup loops, ChannelFactory<? extends SocketChannel> channels, long silenceSeconds) {

  /** Silence is watched for. */
  public BackendTransport(EventLoopGroup loops, ChannelFactory<? extends SocketChannel> channels) {
    this(loops, channels, 10);
  }

  public long silenceNanos() {
    return TimeUnit.SECONDS.toNanos(silenceSeconds);
  }
}
