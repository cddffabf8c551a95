package io.anabranch.backend.fakes;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/** A clock that stands still until it is told to go on. Not thread-safe. */
public final class VirtualTime implements Ticker {

  private long nanos;

  @Override
  public long initialNanoTime() {
    return 0;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  /** Goes on to that moment; never back. */
  public void advanceTo(long moment) {
    nanos = Math.max(nanos, moment);
  }

  public void advanceBy(long amount, TimeUnit unit) {
    nanos += unit.toNanos(amount);
  }

  @Override
  public void sleep(long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("nobody sleeps in simulated time");
  }
}
