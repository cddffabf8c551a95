package io.anabranch.backend.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A part of the budget that many sessions draw on: a user's, or the whole of it. Thread-safe, no
 * locks.
 */
final class MemoryShare {

  private final String owner;
  private final String wayOut;
  private final long limit;
  private final @Nullable MemoryShare of;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param owner as errors name it
   * @param wayOut what errors advise
   * @param limit bytes
   * @param of what this is a share of; null: it is the whole
   */
  MemoryShare(String owner, String wayOut, long limit, @Nullable MemoryShare of) {
    this.owner = owner;
    this.wayOut = wayOut;
    this.limit = limit;
    this.of = of;
  }

  /** Takes the bytes here and in what this is a share of; the one that lacks them, or null. */
  @Nullable MemoryShare take(long bytes) {
    if (taken.addAndGet(bytes) > limit) {
      taken.addAndGet(-bytes);
      return this;
    }
    MemoryShare whole = of;
    MemoryShare lacking = whole == null ? null : whole.take(bytes);
    if (lacking != null) {
      taken.addAndGet(-bytes);
    }
    return lacking;
  }

  /** Takes the bytes whether they fit or not: they are kept already. */
  void force(long bytes) {
    taken.addAndGet(bytes);
    MemoryShare whole = of;
    if (whole != null) {
      whole.force(bytes);
    }
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
    MemoryShare whole = of;
    if (whole != null) {
      whole.give(bytes);
    }
  }

  boolean isWhole() {
    return of == null;
  }

  String owner() {
    return owner;
  }

  String wayOut() {
    return wayOut;
  }

  long limit() {
    return limit;
  }

  long taken() {
    return taken.get();
  }
}
