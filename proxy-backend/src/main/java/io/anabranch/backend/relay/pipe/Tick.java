package io.anabranch.backend.relay.pipe;

import java.util.concurrent.TimeUnit;

/**
 * One look at what is under way, and how much of the time since the former look counts. While an
 * event loop stands still it reads nothing: an answer may have come long ago, and is no late one.
 *
 * @param from the former look, or the beginning; by the clock of the event loop
 */
record Tick(long from, long now) {

  /** How often there is one: often enough that a slow one is found soon, and costs nothing. */
  static final long NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Timers are late by a little on any machine; more is a loop that stood still. */
  private static final long LATE_NANOS = NANOS + NANOS / 2;

  /**
   * Whether the loop stood still before: it may have what has come still to read, and has read it
   * at the next look.
   */
  boolean isLate() {
    return now - from > LATE_NANOS;
  }

  /**
   * What counts of the time in which a statement was the first: never more than a loop that is on
   * time would have taken.
   *
   * @param since when it became the first
   */
  long counted(long since) {
    return Math.min(Math.min(now - since, now - from), NANOS);
  }
}
