package io.anabranch.frontend.server;

import io.netty.channel.Channel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a client takes nothing of what is written to it for too long, as MySQL's
 * net_write_timeout. A timer runs only while the channel is not writable, and at most one in the
 * time of the limit. On the client's event loop.
 */
final class StallWatch {

  private final Channel channel;
  private final long limitNanos;
  private final Runnable stalled;
  private boolean progressed;
  private long pendingBytes;
  private @Nullable Future<?> timer;

  /**
   * @param limitNanos 0: no limit
   */
  StallWatch(Channel channel, long limitNanos, Runnable stalled) {
    this.channel = channel;
    this.limitNanos = limitNanos;
    this.stalled = stalled;
  }

  void writabilityChanged() {
    progressed |= channel.isWritable();
    if (limitNanos > 0 && timer == null && !channel.isWritable() && channel.isActive()) {
      start();
    }
  }

  void stop() {
    Future<?> waiting = timer;
    if (waiting != null) {
      waiting.cancel(false);
      timer = null;
    }
  }

  private void start() {
    progressed = false;
    pendingBytes = channel.bytesBeforeWritable();
    timer = channel.eventLoop().schedule(this::check, limitNanos, TimeUnit.NANOSECONDS);
  }

  private void check() {
    timer = null;
    if (channel.isWritable() || !channel.isActive()) {
      return;
    }
    if (progressed || channel.bytesBeforeWritable() < pendingBytes) {
      start();
    } else {
      stalled.run();
    }
  }
}
