package io.anabranch.rules.algorithm;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Values as the numeric algorithms see them. */
public final class WholeNumber {

  private WholeNumber() {}

  /**
   * Numbers without their fraction, strings of digits as the number they show.
   *
   * @throws RefusedException for everything else
   */
  public static BigInteger of(SqlValue value, String algorithm) {
    return switch (value) {
      case SqlValue.Int(long number) -> BigInteger.valueOf(number);
      case SqlValue.Decimal(BigDecimal number) -> number.toBigInteger();
      case SqlValue.Floating(double number) when Double.isFinite(number) ->
          new BigDecimal(number).toBigInteger();
      case SqlValue.Text(String text) -> ofText(text, algorithm);
      case SqlValue.Null _,
          SqlValue.Unknown _,
          SqlValue.Floating _,
          SqlValue.Bytes _,
          SqlValue.Date _,
          SqlValue.DateTime _ ->
          throw refuse(algorithm, value, "it takes numbers and strings of digits");
    };
  }

  /** The same for a bound of a range; null where the order of numbers does not hold. */
  public static @Nullable BigInteger ofBound(@Nullable SqlValue bound) {
    return switch (bound) {
      case SqlValue.Int(long number) -> BigInteger.valueOf(number);
      case SqlValue.Decimal(BigDecimal number) -> number.toBigInteger();
      case SqlValue.Floating(double number) when Double.isFinite(number) ->
          new BigDecimal(number).toBigInteger();
      case null, default -> null;
    };
  }

  /** Like {@link #of}, values beyond 64 bits as the nearest long. */
  public static long clamped(SqlValue value, String algorithm) {
    return value instanceof SqlValue.Int(long number) ? number : clamp(of(value, algorithm));
  }

  public static long clamp(BigInteger number) {
    if (number.bitLength() < Long.SIZE) {
      return number.longValue();
    }
    return number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  public static RefusedException refuse(String algorithm, SqlValue value, String wayOut) {
    return ErrorCatalogue.SHARDING_VALUE.refuse(algorithm, describe(value), wayOut);
  }

  private static BigInteger ofText(String text, String algorithm) {
    // MySQL ignores trailing blanks when it compares, so they must not move a row
    String digits = text.stripTrailing();
    if (digits.length() > 100 || !isNumber(digits)) {
      throw refuse(algorithm, new SqlValue.Text(text), "it takes numbers and strings of digits");
    }
    return new BigInteger(digits);
  }

  private static boolean isNumber(String text) {
    int from = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() > from;
  }

  private static String describe(SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) -> "the number " + number;
      case SqlValue.Decimal(BigDecimal number) -> "the number " + number.toPlainString();
      case SqlValue.Floating(double number) -> "the number " + number;
      case SqlValue.Text(String text) ->
          "the string '" + (text.length() > 64 ? text.substring(0, 64) + "..." : text) + "'";
      case SqlValue.Bytes _ -> "a binary string";
      case SqlValue.Date(var date) -> "the date " + date;
      case SqlValue.DateTime(var time) -> "the time " + time;
      case SqlValue.Null _ -> "NULL";
      case SqlValue.Unknown _ -> "a value that only the database can compute";
    };
  }
}
