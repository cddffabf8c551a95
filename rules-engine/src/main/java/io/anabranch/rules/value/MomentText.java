package io.anabranch.rules.value;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts as the days and moments that servers read in them where they want a DATE or DATETIME: those
 * forms alone that MySQL and MariaDB read alike. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/date-and-time-literals.html">Date and Time
 * Literals</a>.
 */
public final class MomentText {

  private static final Pattern DIGITS =
      Pattern.compile(
          "(\\d{4})-?(\\d{2})-?(\\d{2})(?:[ T]?(\\d{2}):?(\\d{2}):?(\\d{2})(?:\\.(\\d{0,9}))?)?");

  /** What stands between them says where single digits end, and which are left out. */
  private static final Pattern DIVIDED =
      Pattern.compile(
          "(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})"
              + "(?:[ T](\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{0,9}))?)?)?)?");

  private static final Pattern USUAL =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}(?:[ T]\\d{2}:\\d{2}(?::\\d{2})?)?");

  private MomentText() {}

  /**
   * The moment that is stored of the text, but for digits of a second that the column does not
   * keep; null: none, or servers do not agree.
   */
  public static @Nullable LocalDateTime of(String text) {
    Matcher parts = DIGITS.matcher(text);
    if (!parts.matches()) {
      parts = DIVIDED.matcher(text);
    }
    if (!parts.matches()) {
      return null;
    }
    String fraction = parts.group(7) == null ? "" : parts.group(7);
    try {
      return LocalDateTime.of(
          number(parts.group(1)),
          number(parts.group(2)),
          number(parts.group(3)),
          number(parts.group(4)),
          number(parts.group(5)),
          number(parts.group(6)),
          number((fraction + "000000000").substring(0, 9)));
    } catch (DateTimeException none) {
      return null;
    }
  }

  /** The same of texts of whole seconds, of which no server has a word to say. */
  public static @Nullable LocalDateTime usual(String text) {
    return USUAL.matcher(text).matches() ? of(text) : null;
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
