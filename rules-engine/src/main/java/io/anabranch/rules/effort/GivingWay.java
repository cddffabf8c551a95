package io.anabranch.rules.effort;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets others run beside long work: a virtual thread keeps its carrier, of which there are as many
 * as processors, until it waits for something. Who works through many rows counts them here. For
 * one thread at a time.
 */
public final class GivingWay {

  /** Between two looks at the clock. */
  private static final int STEPS = 32;

  /** How long others wait for each that works: they have several turns to wait for. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private int steps;
  private long since;

  /** One row more, or one comparison, or the like. */
  public void step() {
    if (++steps >= STEPS) {
      look();
    }
  }

  /** Some work more that is worth a look at the clock. */
  public void look() {
    steps = 0;
    long now = System.nanoTime();
    if (since == 0) {
      since = now;
    } else if (now - since > TURN_NANOS) {
      // not yield: those that yield to each other on one carrier keep all others waiting
      LockSupport.parkNanos(1);
      since = System.nanoTime();
    }
  }
}
