package io.anabranch.backend.stage;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What all statements together have in temporary tables: one for the process, whatever rules are in
 * force. Thread-safe.
 */
public final class StagedBytes {

  private final AtomicLong taken = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /**
   * @param most of all statements
   * @return false: nothing was taken, they would have more
   */
  boolean take(long bytes, long most) {
    if (taken.addAndGet(bytes) <= most) {
      return true;
    }
    taken.addAndGet(-bytes);
    refused.increment();
    return false;
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Bytes that they have now. */
  public long taken() {
    return taken.get();
  }

  /** How often there was no room. */
  public long refusals() {
    return refused.sum();
  }
}
