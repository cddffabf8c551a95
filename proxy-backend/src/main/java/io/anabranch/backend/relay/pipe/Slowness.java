package io.anabranch.backend.relay.pipe;

import java.util.concurrent.TimeUnit;

/**
 * From when on the first statement on a connection counts as a slow one, by what is usual on its
 * data source now: twice what 59 of 60 answers come within. What takes long where many take long is
 * the machine's doing, and running those behind it once more would make it slower still. On the
 * event loop.
 *
 * <p>Only how many take long moves it, not how long they take: one that takes a second, or is read
 * late by an event loop that stood still, is an outlier like any other.
 */
final class Slowness {

  /** Beside quick ones, which never take so long: those behind may wait for it unharmed. */
  static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** However slow they are: the last of eight on a connection waits for half a second at most. */
  static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  /** What takes a little longer than the others is not slow: elsewhere it would be no better. */
  private static final int USUAL_TIMES = 2;

  /** The part by which an answer beyond the usual lifts it: a few of them do not do much. */
  private static final int RISE = 8;

  /**
   * The part by which any other lowers it. With {@link #RISE} it is lifted where more than one in
   * 60 are beyond the usual. 32 may be under way on a connection: where each connection is left
   * waiting for its first answer and gets the others along with it, the wait is what is usual.
   */
  private static final int FALL = 512;

  private long nanos = LEAST_NANOS;

  /** An answer has come, so long behind the one in front, or after it was sent. */
  void answered(long taken) {
    nanos =
        taken > nanos / USUAL_TIMES
            ? Math.min(nanos + nanos / RISE, MOST_NANOS)
            : Math.max(nanos - nanos / FALL, LEAST_NANOS);
  }

  /** Whether a statement that has been the first for so long keeps those behind it waiting. */
  boolean isReached(long waited) {
    return waited >= nanos;
  }
}
