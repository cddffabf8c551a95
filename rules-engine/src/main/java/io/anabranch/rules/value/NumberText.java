package io.anabranch.rules.value;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Strings as numbers, the way MySQL reads them where it compares the two: leading blanks are
 * skipped, what follows the number is ignored, and a text that starts with none is 0. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/type-conversion.html">Type Conversion in Expression
 * Evaluation</a>.
 */
public final class NumberText {

  /** Digits, and places behind or in front of the point, of numbers that are read at all. */
  private static final int LONGEST = 1000;

  private static final int MOST_DIGITS = 60;
  private static final int MOST_EXPONENT_DIGITS = 2;

  private NumberText() {}

  /**
   * Whether a number has more digits than anybody reads: servers keep 65, and to read them takes
   * the square of their count.
   */
  public static boolean isTooLong(String number) {
    return number.length() > LONGEST;
  }

  /** The same of one that is read, whose exponent may be long: 1e999999999. */
  public static boolean isTooLong(BigDecimal number) {
    return Math.abs((long) number.scale()) > LONGEST || number.precision() > LONGEST;
  }

  /** The number at the start of {@code text}; null where it is too long to be taken exactly. */
  public static @Nullable BigDecimal prefix(String text) {
    int from = 0;
    while (from < text.length() && isBlank(text.charAt(from))) {
      from++;
    }
    int p = sign(text, from);
    int firstDigit = p;
    p = digits(text, p);
    int count = p - firstDigit;
    if (p < text.length() && text.charAt(p) == '.') {
      int behind = digits(text, p + 1);
      count += behind - p - 1;
      p = behind;
    }
    if (count == 0) {
      return BigDecimal.ZERO;
    }
    int mantissaEnd = p;
    int exponent = exponent(text, p);
    boolean tooLong = count > MOST_DIGITS || exponent - mantissaEnd > MOST_EXPONENT_DIGITS + 2;
    return tooLong ? null : new BigDecimal(plain(text.substring(from, exponent)));
  }

  /** {@code 5.} and {@code .5e1} with digits on both sides of the point. */
  private static String plain(String number) {
    int point = number.indexOf('.');
    return point < 0 ? number : number.substring(0, point) + "." + fraction(number, point + 1);
  }

  private static String fraction(String number, int from) {
    String rest = number.substring(from);
    return rest.isEmpty() || !isDigit(rest.charAt(0)) ? "0" + rest : rest;
  }

  /** Behind the exponent, or {@code from} if none stands there. */
  private static int exponent(String text, int from) {
    if (from >= text.length() || (text.charAt(from) | 0x20) != 'e') {
      return from;
    }
    int digits = sign(text, from + 1);
    int behind = digits(text, digits);
    return behind > digits ? behind : from;
  }

  private static int sign(String text, int at) {
    boolean signed = at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+');
    return signed ? at + 1 : at;
  }

  private static int digits(String text, int from) {
    int p = from;
    while (p < text.length() && isDigit(text.charAt(p))) {
      p++;
    }
    return p;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
}
