package io.anabranch.backend.pool.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes channels, knows which are open, and closes them before their event loops end: a loop closes
 * its own by itself, but for one that is registered just then, on its way from another loop, whose
 * database would keep a session for as long as this process lives. Thread-safe.
 */
public final class OpenChannels implements DatabaseChannels, AutoCloseable {

  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final DatabaseChannels channels;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  public OpenChannels(DatabaseChannels channels) {
    this.channels = channels;
  }

  /**
   * @throws IllegalStateException if this is closed
   */
  @Override
  public Channel toHost() {
    return known(channels.toHost());
  }

  /**
   * @throws IllegalStateException if this is closed
   */
  @Override
  public Channel toFile() {
    return known(channels.toFile());
  }

  @Override
  public SocketAddress address(String file) {
    return channels.address(file);
  }

  private Channel known(Channel made) {
    open.add(made);
    if (isClosed) {
      made.unsafe().closeForcibly();
      throw new IllegalStateException("no more connections to databases: the proxy ends");
    }
    made.closeFuture().addListener(_ -> open.remove(made));
    return made;
  }

  /** Blocks until all are closed, but not for ever; called while their event loops run. */
  @Override
  public void close() {
    isClosed = true;
    List<ChannelFuture> closing = open.stream().flatMap(OpenChannels::close).toList();
    long start = System.nanoTime();
    for (ChannelFuture each : closing) {
      each.awaitUninterruptibly(
          Math.max(0, END_NANOS - (System.nanoTime() - start)), TimeUnit.NANOSECONDS);
    }
  }

  private static Stream<ChannelFuture> close(Channel channel) {
    try {
      return Stream.of(channel.close());
    } catch (IllegalStateException notRegistered) {
      // it has just been made, and its loop closes it
      return Stream.empty();
    }
  }
}
