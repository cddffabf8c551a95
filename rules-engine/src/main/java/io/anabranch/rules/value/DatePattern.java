package io.anabranch.rules.value;

import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Patterns of dates and times that people write, as Java reads them. */
public final class DatePattern {

  private DatePattern() {}

  /**
   * @throws IllegalArgumentException if it is no pattern
   */
  public static DateTimeFormatter formatter(String pattern) {
    try {
      return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    } catch (ClassCastException e) {
      // padding between numbers without a separator, which Java does not look for
      throw new IllegalArgumentException("numbers follow each other behind padding", e);
    }
  }
}
