package io.anabranch.rules.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Arithmetic of literals as <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/arithmetic-functions.html">servers do it</a>, where
 * the result is exact beyond doubt: signed 64-bit integers and decimals of moderate length. All
 * else is {@link SqlValue.Unknown}; NULL makes NULL.
 */
public final class ExactArithmetic {

  private static final int MOST_DIGITS = 40;
  private static final int LARGEST_SCALE = 15;

  /** Operators of two operands. */
  public enum Operator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    /** DIV. */
    DIVIDE_WHOLE,
    /** MOD and {@code %}. */
    REMAINDER
  }

  private ExactArithmetic() {}

  /** {@code left operator right}. */
  public static SqlValue compute(SqlValue left, Operator operator, SqlValue right) {
    if (left == SqlValue.Null.NULL || right == SqlValue.Null.NULL) {
      return SqlValue.Null.NULL;
    }
    boolean whole = left instanceof SqlValue.Int && right instanceof SqlValue.Int;
    if (!isExact(left) || !isExact(right)) {
      return SqlValue.Unknown.UNKNOWN;
    }
    BigDecimal a = number(left);
    BigDecimal b = number(right);
    return switch (operator) {
      case ADD -> result(a.add(b), whole);
      case SUBTRACT -> result(a.subtract(b), whole);
      case MULTIPLY -> result(a.multiply(b), whole);
      case DIVIDE_WHOLE, REMAINDER ->
          !whole || b.signum() == 0
              ? SqlValue.Unknown.UNKNOWN
              : result(
                  operator == Operator.REMAINDER ? a.remainder(b) : a.divideToIntegralValue(b),
                  true);
    };
  }

  /** {@code CAST(value AS SIGNED)}, or {@code AS UNSIGNED}. */
  public static SqlValue integer(SqlValue value, boolean unsigned) {
    SqlValue integer =
        switch (value) {
          case SqlValue.Int ignored -> value;
          case SqlValue.Null ignored -> value;
          case SqlValue.Decimal decimal when isExact(decimal) ->
              result(decimal.value().setScale(0, RoundingMode.HALF_UP), true);
          case SqlValue.Text(String text) when text.matches("-?[0-9]{1,18}") ->
              new SqlValue.Int(Long.parseLong(text));
          default -> SqlValue.Unknown.UNKNOWN;
        };
    boolean wraps = unsigned && integer instanceof SqlValue.Int number && number.value() < 0;
    return wraps ? SqlValue.Unknown.UNKNOWN : integer;
  }

  /** Integers beyond 64 bits are unsigned to servers, with rules of their own. */
  private static boolean isExact(SqlValue value) {
    return value instanceof SqlValue.Int
        || (value instanceof SqlValue.Decimal decimal
            && decimal.value().scale() > 0
            && decimal.value().scale() <= LARGEST_SCALE
            && decimal.value().precision() <= MOST_DIGITS);
  }

  private static BigDecimal number(SqlValue value) {
    return switch (value) {
      case SqlValue.Int number -> BigDecimal.valueOf(number.value());
      case SqlValue.Decimal number -> number.value();
      default -> throw new IllegalArgumentException("no exact number: " + value);
    };
  }

  private static SqlValue result(BigDecimal number, boolean whole) {
    if (!whole) {
      return new SqlValue.Decimal(number);
    }
    BigInteger integer = number.toBigIntegerExact();
    return integer.bitLength() < Long.SIZE
        ? new SqlValue.Int(integer.longValueExact())
        : SqlValue.Unknown.UNKNOWN;
  }
}
