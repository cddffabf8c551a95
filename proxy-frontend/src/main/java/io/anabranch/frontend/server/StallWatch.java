package io.anabranch.frontend.server;

import io.netty.channel.Channel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a client takes nothing of what is written to it for too long, as MySQL's
 * net_write_timeout, and at most an eighth of that later; after an eighth if others wait for what
 * the client's session has. A timer runs only while the channel is not writable. On the client's
 * event loop.
 */
final class StallWatch {

  /** How often in the time of the limit is looked whether the client has taken something. */
  private static final int LOOKS = 8;

  private final Channel channel;
  private final long limitNanos;
  private final Runnable stalled;
  private boolean progressed;
  private long pendingBytes;

  /** When it was seen last that something was taken, by the event loop's clock. */
  private long since;

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
      look();
      since = now();
      start();
    }
  }

  private long now() {
    return channel.eventLoop().ticker().nanoTime();
  }

  void stop() {
    Future<?> waiting = timer;
    if (waiting != null) {
      waiting.cancel(false);
      timer = null;
    }
  }

  private void start() {
    long left = limitNanos - (now() - since);
    timer =
        channel
            .eventLoop()
            .schedule(this::check, Math.min(left, limitNanos / LOOKS), TimeUnit.NANOSECONDS);
  }

  /** Others wait for what the client's session has. On any thread. */
  void giveWay() {
    channel.eventLoop().execute(this::press);
  }

  private void press() {
    if (timer == null || channel.isWritable() || !channel.isActive()) {
      return;
    }
    look();
    if (now() - since >= limitNanos / LOOKS) {
      stop();
      stalled.run();
    }
  }

  /** Whether the client has taken something since the last look. */
  private void look() {
    long pending = channel.bytesBeforeWritable();
    if (progressed || pending < pendingBytes) {
      since = now();
    }
    progressed = false;
    pendingBytes = pending;
  }

  private void check() {
    timer = null;
    if (channel.isWritable() || !channel.isActive()) {
      return;
    }
    look();
    if (now() - since < limitNanos) {
      start();
    } else {
      stalled.run();
    }
  }
}
