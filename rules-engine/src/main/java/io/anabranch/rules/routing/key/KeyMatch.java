package io.anabranch.rules.routing.key;

import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.MomentText;
import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * Which stored values make a comparison with a sharding column true, by MySQL's rules for comparing
 * values of different types. The answers err on the side of more: null is "could be any".
 */
public final class KeyMatch {

  /** Doubles tell neighbouring integers apart up to here. */
  private static final BigDecimal EXACT_IN_DOUBLES = BigDecimal.valueOf(1L << 53);

  private KeyMatch() {}

  /**
   * The one stored value that equals {@code value}: NULL if none does, null if there may be several
   * or none can be told.
   */
  public static @Nullable SqlValue equal(KeyType type, SqlValue value) {
    if (value == SqlValue.Null.NULL) {
      return value;
    }
    return switch (type) {
      case INTEGER -> value instanceof SqlValue.Int ? value : whole(number(value));
      case TEXT, EXACT_TEXT -> type.key(value);
      case DATE -> date(value);
      case DATETIME -> type.key(value);
      case OTHER -> null;
    };
  }

  /**
   * Whether servers compare the column with the value alike, alone and in whatever list. Other
   * texts are converted once or for each row, with a warning, an error or without a word, by what
   * stands beside them.
   */
  public static boolean isPlain(KeyType type, SqlValue value) {
    return !(value instanceof SqlValue.Text(String text))
        || switch (type) {
          case INTEGER -> isWhole(text);
          case DATE, DATETIME -> equal(type, value) != null;
          case TEXT, EXACT_TEXT, OTHER -> true;
        };
  }

  private static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean isSign = i == 0 && text.charAt(i) == '-' && text.length() > 1;
      if (!isSign && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** A bound that lets through all stored values between it and {@code value}; null: none can. */
  public static @Nullable SqlValue bound(KeyType type, SqlValue value) {
    if (value == SqlValue.Null.NULL) {
      return value;
    }
    return switch (type) {
      case INTEGER -> {
        BigDecimal number = number(value);
        yield number == null ? null : Literals.decimal(number);
      }
      case DATE, DATETIME -> type.key(value);
      case TEXT, EXACT_TEXT, OTHER -> null;
    };
  }

  /** The number that MySQL compares an integer column with; null where it is not surely known. */
  private static @Nullable BigDecimal number(SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) -> BigDecimal.valueOf(number);
      case SqlValue.Decimal(BigDecimal number) -> number;
      case SqlValue.Floating(double number) -> Double.isFinite(number) ? exact(number) : null;
      case SqlValue.Text(String text) -> exact(NumberText.prefix(text));
      case SqlValue.Bytes _,
          SqlValue.Date _,
          SqlValue.DateTime _,
          SqlValue.Null _,
          SqlValue.Unknown _ ->
          null;
    };
  }

  private static @Nullable BigDecimal exact(double number) {
    return exact(new BigDecimal(number));
  }

  private static @Nullable BigDecimal exact(@Nullable BigDecimal number) {
    return number == null || number.abs().compareTo(EXACT_IN_DOUBLES) >= 0 ? null : number;
  }

  /**
   * Null for fractions: no integer equals them, but where equalities meet (a.u = b.u AND a.u = 2.5)
   * MariaDB rounds them in prepared statements, and its answer is the measure.
   */
  private static @Nullable SqlValue whole(@Nullable BigDecimal number) {
    boolean fraction =
        number != null && number.signum() != 0 && number.stripTrailingZeros().scale() > 0;
    if (number == null || fraction) {
      return null;
    }
    BigInteger integer = number.toBigInteger();
    return integer.bitLength() < Long.SIZE
        ? new SqlValue.Int(integer.longValue())
        : new SqlValue.Decimal(new BigDecimal(integer));
  }

  private static @Nullable SqlValue date(SqlValue value) {
    return switch (value) {
      case SqlValue.Date _ -> value;
      case SqlValue.DateTime(LocalDateTime time) -> dayOf(time);
      case SqlValue.Text(String text) -> {
        LocalDateTime time = MomentText.usual(text);
        yield time == null ? null : dayOf(time);
      }
      default -> null;
    };
  }

  /** A day is its midnight; of any other time only a database knows what it makes. */
  private static @Nullable SqlValue dayOf(LocalDateTime time) {
    LocalDate day = time.toLocalDate();
    return time.toLocalTime().equals(LocalTime.MIDNIGHT) ? new SqlValue.Date(day) : null;
  }
}
