package io.anabranch.protocol.parameter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a string or a number counts as that is bound where a time is wanted: a DATE where MySQL can
 * read it as a day, be it one that no month has, a DATETIME where it has more, a TIME where that is
 * wanted, and what was sent otherwise. Of forms that nobody writes only servers know it.
 */
final class MomentKind {

  private static final Pattern DAY =
      Pattern.compile(
          " *(\\d{4})-(\\d{2})-(\\d{2})(([ T])(?:[01]\\d|2[0-3])"
              + "(?::[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?)?)? *");

  private static final Pattern NUMBER =
      Pattern.compile("(\\d{4})(\\d{2})(\\d{2})(\\d{2})?(\\d{2})?(\\d{2})?");

  /** A day or none, but nothing with an hour. */
  private static final Pattern SHORT =
      Pattern.compile("\\d{1,8}|\\d{1,2}:\\d{1,2}(?::\\d{1,2})?|\\d{1,4}([-/])\\d{1,2}\\1\\d{1,2}");

  private static final Pattern CLOCK = Pattern.compile("\\d{2}:[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?");

  private static final Pattern NUMERAL = Pattern.compile("-?\\d+(?:\\.\\d*)?");

  private static final Pattern ZERO = Pattern.compile("0(?:\\.0*)?");

  /** Hours, minutes and seconds without anything between. */
  private static final Pattern HOURS =
      Pattern.compile("[0-7]?\\d{1,2}[0-5]\\d[0-5]\\d|[0-5]?\\d[0-5]\\d|[0-5]?\\d");

  /** Digits of the longest number that is a day. */
  private static final int MOST_OF_DAY = 8;

  private static final int DIGITS_OF_MOMENT = 14;

  /** Numbers up to it are no days. */
  private static final int LARGEST_OF_NONE = 100;

  /** Years before that are read as others. */
  private static final int FIRST_YEAR = 1000;

  private MomentKind() {}

  /**
   * @param wanted {@link ParameterKind#DATE}, TIME or DATETIME
   * @return {@link ParameterKind#OPEN}: the wanted kind, a DATE or what was sent; {@link
   *     ParameterKind#WIDE}: or a DATETIME
   */
  static byte of(byte wanted, TypedParameters values, int parameter) {
    byte sent = values.kind(parameter);
    return switch (sent) {
      case ParameterKind.TEXT, ParameterKind.BYTES -> {
        String text = values.written(parameter);
        yield text == null
            ? ParameterKind.WIDE
            : wanted == ParameterKind.TIME ? timeOfText(text, sent) : dayOfText(text, sent);
      }
      case ParameterKind.SIGNED,
          ParameterKind.UNSIGNED,
          ParameterKind.DECIMAL,
          ParameterKind.DOUBLE -> {
        String number = values.written(parameter);
        yield number == null || !NUMERAL.matcher(number).matches()
            ? ParameterKind.WIDE
            : wanted == ParameterKind.TIME ? timeOfNumber(number) : dayOfNumber(number, sent);
      }
      default -> sent;
    };
  }

  private static byte dayOfText(String text, byte sent) {
    if (!begins(text, "")) {
      return sent;
    }
    Matcher day = DAY.matcher(text);
    if (isDay(day)) {
      return day.group(4) == null ? ParameterKind.DATE : ParameterKind.DATETIME;
    }
    return SHORT.matcher(text).matches() ? ParameterKind.OPEN : ParameterKind.WIDE;
  }

  private static byte timeOfText(String text, byte sent) {
    if (!begins(text, "-+")) {
      return sent;
    }
    if (CLOCK.matcher(text).matches() || HOURS.matcher(text).matches()) {
      return ParameterKind.TIME;
    }
    Matcher day = DAY.matcher(text);
    if (isDay(day)) {
      return " ".equals(day.group(5)) ? ParameterKind.DATETIME : sent;
    }
    return ParameterKind.WIDE;
  }

  /** Whether something follows the blanks that times begin with. */
  private static boolean begins(String text, String signs) {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      return false;
    }
    char first = stripped.charAt(0);
    return (first >= '0' && first <= '9') || signs.indexOf(first) >= 0;
  }

  private static boolean isDay(Matcher day) {
    return day.matches()
        && number(day, 1) >= FIRST_YEAR
        && isIn(1, number(day, 2), 12)
        && isIn(1, number(day, 3), 31);
  }

  private static byte dayOfNumber(String number, byte sent) {
    if (number.startsWith("-")) {
      return sent;
    }
    if (ZERO.matcher(number).matches()) {
      return ParameterKind.DATETIME;
    }
    int point = number.indexOf('.');
    String whole = point < 0 ? number : number.substring(0, point);
    if (whole.length() > DIGITS_OF_MOMENT) {
      return sent;
    }
    if (whole.length() <= 3 && isIn(1, Integer.parseInt(whole), LARGEST_OF_NONE)) {
      return sent;
    }
    if (whole.length() == MOST_OF_DAY || whole.length() == DIGITS_OF_MOMENT) {
      return dayOfDigits(NUMBER.matcher(whole), sent);
    }
    return whole.length() < MOST_OF_DAY ? ParameterKind.OPEN : ParameterKind.WIDE;
  }

  private static byte dayOfDigits(Matcher digits, byte sent) {
    if (!digits.matches() || number(digits, 1) < FIRST_YEAR) {
      return ParameterKind.WIDE;
    }
    if (number(digits, 2) > 12 || number(digits, 3) > 31) {
      return sent;
    }
    if (number(digits, 2) == 0 || number(digits, 3) == 0) {
      return ParameterKind.WIDE;
    }
    if (digits.group(4) == null) {
      return ParameterKind.DATE;
    }
    boolean isClock = number(digits, 4) < 24 && number(digits, 5) < 60 && number(digits, 6) < 60;
    return isClock ? ParameterKind.DATETIME : sent;
  }

  private static byte timeOfNumber(String number) {
    int point = number.indexOf('.');
    String whole = point < 0 ? number : number.substring(0, point);
    return HOURS.matcher(whole).matches() ? ParameterKind.TIME : ParameterKind.WIDE;
  }

  private static boolean isIn(int first, int number, int last) {
    return number >= first && number <= last;
  }

  private static int number(Matcher day, int group) {
    return Integer.parseInt(day.group(group));
  }
}
