package io.anabranch.frontend.statementlog;

import java.time.Instant;

/** Moments as ISO 8601 has them, in UTC: those of one second differ by their end. By one thread. */
final class Moments {

  private static final int MILLIS = 1000;

  private long second = Long.MIN_VALUE;
  private String prefix = "";

  /**
   * {@code 2026-03-01T09:30:00.123Z}.
   *
   * @param millis since 1970
   */
  String of(long millis) {
    long whole = Math.floorDiv(millis, MILLIS);
    if (whole != second) {
      second = whole;
      String text = Instant.ofEpochSecond(whole).toString();
      prefix = text.substring(0, text.length() - 1);
    }
    int rest = (int) Math.floorMod(millis, (long) MILLIS);
    return prefix
        + '.'
        + (char) ('0' + rest / 100)
        + (char) ('0' + rest / 10 % 10)
        + (char) ('0' + rest % 10)
        + 'Z';
  }
}
