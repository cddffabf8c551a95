package io.anabranch.frontend.server;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a client has been silent for too long. One timer per client, which is moved only when
 * it fires, or when the limit has changed. On the client's event loop.
 */
final class IdleWatch {

  private final EventExecutor loop;
  private final LongSupplier idleNanos;
  private final Runnable expired;
  private long limitNanos;
  private @Nullable Future<?> timer;

  /**
   * @param idleNanos how long the client has been silent; negative while a command runs
   * @param expired what to do then
   */
  IdleWatch(EventExecutor loop, LongSupplier idleNanos, Runnable expired) {
    this.loop = loop;
    this.idleNanos = idleNanos;
    this.expired = expired;
  }

  /**
   * The limit from now on.
   *
   * @param nanos 0: none
   */
  void limit(long nanos) {
    if (nanos != limitNanos) {
      limitNanos = nanos;
      stop();
      if (nanos > 0) {
        check();
      }
    }
  }

  void stop() {
    Future<?> waiting = timer;
    if (waiting != null) {
      waiting.cancel(false);
      timer = null;
    }
  }

  private void check() {
    long idle = idleNanos.getAsLong();
    if (idle >= limitNanos) {
      expired.run();
    } else {
      long left = idle < 0 ? limitNanos : limitNanos - idle;
      timer = loop.schedule(this::check, left, TimeUnit.NANOSECONDS);
    }
  }
}
