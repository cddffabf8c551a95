package io.anabranch.rules.placement;

import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a DECIMAL column keeps of the numbers that it is given.
 *
 * @param decimals digits behind the point
 * @param most the highest number
 */
record DecimalForm(int decimals, BigDecimal most) {

  private static final Pattern TYPE = Pattern.compile("decimal\\((\\d+)(?:,(\\d+))?\\).*");
  private static final Pattern NUMBER =
      Pattern.compile(" *([+-]?(?:[0-9]{1,65}\\.?[0-9]{0,65}|\\.[0-9]{1,65})) *");

  /**
   * @param type as the catalogue has it, in lower case
   * @return null: it is no DECIMAL
   */
  static @Nullable DecimalForm of(String type) {
    Matcher digits = TYPE.matcher(type);
    if (!digits.matches()) {
      return null;
    }
    int decimals = digits.group(2) == null ? 0 : Integer.parseInt(digits.group(2));
    BigDecimal least = BigDecimal.ONE.movePointLeft(decimals);
    int whole = Integer.parseInt(digits.group(1)) - decimals;
    return new DecimalForm(decimals, BigDecimal.ONE.movePointRight(whole).subtract(least));
  }

  /** The number with all digits that are stored; null where nobody knows. */
  @Nullable BigDecimal stored(SqlValue value) {
    BigDecimal number =
        switch (value) {
          case SqlValue.Int(long whole) -> BigDecimal.valueOf(whole);
          case SqlValue.Decimal(BigDecimal decimal) -> decimal;
          case SqlValue.Text(String text) -> read(text);
          default -> null;
        };
    return number == null ? null : number.setScale(decimals, RoundingMode.HALF_UP);
  }

  private static @Nullable BigDecimal read(String text) {
    if (NumberText.isTooLong(text)) {
      return null;
    }
    Matcher digits = NUMBER.matcher(text);
    return digits.matches() ? new BigDecimal(digits.group(1)) : null;
  }

  /** By what the number is placed, whatever it was written like: a whole one is an integer. */
  static SqlValue key(BigDecimal number) {
    boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    return isWhole && number.toBigInteger().bitLength() < Long.SIZE
        ? new SqlValue.Int(number.longValueExact())
        : new SqlValue.Decimal(number);
  }

  /** Whether no server cuts it. */
  boolean holds(BigDecimal number) {
    return number.abs().compareTo(most) <= 0;
  }
}
