package io.anabranch.protocol.parameter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * A string as MySQL looks at it where a statement wants an integer: whether it is a number, and
 * which.
 */
public enum NumberText {
  /** No number, or one with something behind it: a warning at most, the type stays. */
  NONE(true, true, true),
  /** 0 to 2^63 − 1. */
  POSITIVE(true, true, true),
  MINUS_ZERO(true, false, true),
  /** 2^63 to 2^64 − 1. */
  LARGE(false, true, true),
  /** With a point or an exponent. */
  FRACTION(false, false, true),
  /** Negative, or more than 64 bits. */
  OUTSIDE(false, false, false),
  /** More digits than a DECIMAL has. */
  HUGE(false, false, false);

  private static final int DECIMAL_DIGITS = 81;

  /** Characters of numbers that are read as they are. */
  private static final int LONGEST = 200;

  private static final int EXPONENT_DIGITS = 9;
  private static final BigDecimal SIGNED_END = new BigDecimal(BigInteger.ONE.shiftLeft(63));
  private static final BigDecimal UNSIGNED_END = new BigDecimal(BigInteger.ONE.shiftLeft(64));

  private final boolean signed;
  private final boolean unsigned;
  private final boolean year;

  NumberText(boolean signed, boolean unsigned, boolean year) {
    this.signed = signed;
    this.unsigned = unsigned;
    this.year = year;
  }

  boolean isSigned() {
    return signed;
  }

  boolean isUnsigned() {
    return unsigned;
  }

  boolean isYear() {
    return year;
  }

  /**
   * @param bytes of a character set that has ASCII
   */
  public static NumberText of(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isSpace(bytes[at])) {
      at++;
    }
    int end = to;
    while (end > at && isSpace(bytes[end - 1])) {
      end--;
    }
    int start = at;
    if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
      at++;
    }
    int digits = at;
    at = digits(bytes, at, end);
    int count = at - digits;
    boolean isWhole = true;
    if (at < end && bytes[at] == '.') {
      isWhole = false;
      int fraction = at + 1;
      at = digits(bytes, fraction, end);
      count += at - fraction;
    }
    if (count == 0) {
      return NONE;
    }
    int exponent = at;
    if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
      isWhole = false;
      at++;
      if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
        at++;
      }
      int first = at;
      at = digits(bytes, at, end);
      if (at == first) {
        return NONE;
      }
    }
    if (at < end) {
      return NONE;
    }
    if (at - exponent > EXPONENT_DIGITS) {
      return HUGE;
    }
    String text =
        end - start > LONGEST
            ? shortened(bytes, start, exponent, end)
            : new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    return of(text, isWhole);
  }

  /**
   * The same number but for digits that are no more of importance: to read digits takes the square
   * of their number, and clients send millions.
   *
   * @param exponent where its exponent begins
   */
  private static String shortened(byte[] bytes, int start, int exponent, int end) {
    var kept = new StringBuilder();
    boolean isFraction = false;
    long power = exponent < end ? Long.parseLong(digitsBehind(bytes, exponent, end)) : 0;
    for (int i = start; i < exponent; i++) {
      byte each = bytes[i];
      if (each < '0' || each > '9') {
        isFraction |= each == '.';
        continue;
      }
      boolean isLeading = kept.isEmpty() && each == '0';
      boolean isKept = !isLeading && kept.length() < LONGEST;
      if (isKept) {
        kept.append((char) each);
      }
      if (isFraction && (isKept || isLeading)) {
        power--;
      } else if (!isFraction && !isKept && !isLeading) {
        power++;
      }
    }
    String sign = bytes[start] == '-' ? "-" : "";
    return sign + (kept.isEmpty() ? "0" : kept) + "e" + power;
  }

  private static String digitsBehind(byte[] bytes, int exponent, int end) {
    return new String(bytes, exponent + 1, end - exponent - 1, StandardCharsets.ISO_8859_1);
  }

  private static NumberText of(String text, boolean isWhole) {
    boolean isNegative = text.charAt(0) == '-';
    BigDecimal value = new BigDecimal(text);
    if (value.precision() - value.scale() > DECIMAL_DIGITS) {
      return HUGE;
    }
    if (value.signum() < 0 || value.compareTo(UNSIGNED_END) >= 0) {
      return OUTSIDE;
    }
    if (!isWhole) {
      return FRACTION;
    }
    if (isNegative) {
      return MINUS_ZERO;
    }
    return value.compareTo(SIGNED_END) < 0 ? POSITIVE : LARGE;
  }

  private static int digits(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at;
  }

  private static boolean isSpace(byte each) {
    return each == ' ' || (each >= '\t' && each <= '\r');
  }
}
