package io.anabranch.backend.pool.wire;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;

/**
 * How backend channels are made, and watched.
 *
 * @param loops the event loops of the sessions, so that a leased channel can move to its session's
 * @param channels makes channels that fit the loops
 * @param silenceSeconds after so long without a byte the database is asked, on another connection,
 *     whether it still works at a command; 0: never
 * @param room bounds the connections of all pools together
 */
public record BackendTransport(
    EventLoopGroup loops, DatabaseChannels channels, long silenceSeconds, ConnectionRoom room) {

  private static final long SILENCE_SECONDS = 10;

  /** With a room of its own. */
  public BackendTransport(EventLoopGroup loops, DatabaseChannels channels, long silenceSeconds) {
    this(loops, channels, silenceSeconds, ConnectionRoom.ofThisProcess());
  }

  /** Silence is watched for. */
  public BackendTransport(EventLoopGroup loops, DatabaseChannels channels) {
    this(loops, channels, SILENCE_SECONDS);
  }

  public long silenceNanos() {
    return TimeUnit.SECONDS.toNanos(silenceSeconds);
  }
}
