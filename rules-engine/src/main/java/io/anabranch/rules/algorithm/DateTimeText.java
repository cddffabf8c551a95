package io.anabranch.rules.algorithm;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** DATETIME as MySQL prints it: a fraction only where there is one, of six digits. */
public final class DateTimeText {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder()
          .append(SECONDS)
          .appendFraction(ChronoField.NANO_OF_SECOND, 6, 6, true)
          .toFormatter(Locale.ROOT);

  private DateTimeText() {}

  public static String of(LocalDateTime time) {
    boolean whole = time.equals(time.truncatedTo(ChronoUnit.SECONDS));
    return (whole ? SECONDS : MICROSECONDS).format(time);
  }

  /**
   * Reads {@code yyyy-MM-dd HH:mm:ss}, what follows is ignored; {@code yyyy-MM-dd} is its midnight.
   * Null if it is something else.
   */
  public static @Nullable LocalDateTime parse(String text) {
    try {
      if (text.length() == 10) {
        return LocalDateTime.from(SECONDS.parse(text + " 00:00:00"));
      }
      if (text.length() < 19) {
        return null;
      }
      String seconds = text.substring(0, 19);
      return LocalDateTime.from(
          SECONDS.parse(seconds.charAt(10) == 'T' ? seconds.replace('T', ' ') : seconds));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
