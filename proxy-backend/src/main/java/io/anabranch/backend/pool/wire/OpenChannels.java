package io.anabranch.backend.pool.wire;

import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
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
public final class OpenChannels implements ChannelFactory<SocketChannel>, AutoCloseable {

  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ChannelFactory<? extends SocketChannel> channels;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  public OpenChannels(ChannelFactory<? extends SocketChannel> channels) {
    this.channels = channels;
  }

  /**
   * @throws IllegalStateException if this is closed
   */
  @Override
  public SocketChannel newChannel() {
    SocketChannel made = channels.newChannel();
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

  private static Stream<ChannelFuture> close(SocketChannel channel) {
    try {
      return Stream.of(channel.close());
    } catch (IllegalStateException notRegistered) {
      // it has just been made, and its loop closes it
      return Stream.empty();
    }
  }
}
