package io.anabranch.protocol.message;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * FLOAT and DOUBLE as servers print them.
 *
 * <p>The shortest digits that read back as the same DOUBLE, or six significant digits of a FLOAT;
 * plain for numbers of moderate size, with an exponent else: {@code 1e15}, {@code 1.5e-20}. With a
 * fixed number of decimals always plain, filled up with zeros; correctly rounded where there are
 * more digits.
 */
final class FloatingText {

  /** Column decimals from here on mean that the number of decimals is not fixed. */
  static final int NOT_FIXED = 31;

  private static final MathContext FLOAT_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  /** Most digits before the point of a plain number that has none after it. */
  private static final int PLAIN_DIGITS = 15;

  /** Servers store no such numbers; their conversion prints them so. */
  private static final String NOT_FINITE = "0";

  private FloatingText() {}

  static String of(float value, int decimals) {
    if (!Float.isFinite(value)) {
      return NOT_FINITE;
    }
    if (decimals < NOT_FIXED) {
      return fixed(value, decimals);
    }
    return value == 0 ? zero(value) : format(new BigDecimal(value).round(FLOAT_DIGITS));
  }

  static String of(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return NOT_FINITE;
    }
    if (decimals < NOT_FIXED) {
      return fixed(value, decimals);
    }
    return value == 0 ? zero(value) : format(shortest(value));
  }

  private static String fixed(double value, int decimals) {
    BigDecimal shortest = shortest(value);
    BigDecimal digits = shortest.scale() <= decimals ? shortest : new BigDecimal(value);
    BigDecimal rounded = digits.setScale(decimals, RoundingMode.HALF_EVEN);
    boolean negativeZero = rounded.signum() == 0 && 1 / value < 0;
    return negativeZero ? "-" + rounded.toPlainString() : rounded.toPlainString();
  }

  private static String zero(double value) {
    return 1 / value < 0 ? "-0" : "0";
  }

  /** Java wants at least two digits (4.9E-324), servers do with one (5e-324). */
  private static BigDecimal shortest(double value) {
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (digits.precision() == 2) {
      BigDecimal shorter = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
      if (shorter.doubleValue() == value) {
        return shorter;
      }
    }
    return digits;
  }

  private static String format(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    int digits = stripped.precision();
    int point = digits - stripped.scale();
    boolean plain = point > -PLAIN_DIGITS && (point <= PLAIN_DIGITS || digits > point);
    if (plain) {
      return stripped.toPlainString();
    }
    var text = new StringBuilder(stripped.unscaledValue().toString());
    if (digits > 1) {
      text.insert(stripped.signum() < 0 ? 2 : 1, '.');
    }
    return text.append('e').append(point - 1).toString();
  }
}
