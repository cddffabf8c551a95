package io.anabranch.rules.placement;

import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** What a sharding column of floating numbers keeps of the numbers that it is given. */
enum FloatingForm {
  /** It keeps no such numbers, or rounds them to a number of digits of its own. */
  NONE,
  SINGLE,
  DOUBLE;

  private static final double FIRST_BEYOND_LONG = 0x1p63;
  private static final Pattern NUMBER =
      Pattern.compile(" *+[+-]?(?:[0-9]++\\.?[0-9]*+|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,3}+)? *+");

  /**
   * @param type as the catalogue has it
   */
  static FloatingForm of(String type) {
    return switch (type.split(" ", 2)[0]) {
      case "float" -> SINGLE;
      case "double" -> DOUBLE;
      default -> NONE;
    };
  }

  /** The number that is stored; anything else as it is. */
  SqlValue stored(SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) -> stored((double) number, value);
      case SqlValue.Decimal(BigDecimal number) -> stored(number.doubleValue(), value);
      case SqlValue.Floating(double number) -> stored(number, value);
      case SqlValue.Text(String text)
          when !NumberText.isTooLong(text) && NUMBER.matcher(text).matches() ->
          stored(Double.parseDouble(text.strip()), value);
      default -> value;
    };
  }

  private SqlValue stored(double number, SqlValue given) {
    double kept = this == SINGLE ? (float) number : number;
    if (this == NONE || !Double.isFinite(kept)) {
      return given;
    }
    if (Math.rint(kept) == kept && Math.abs(kept) < FIRST_BEYOND_LONG) {
      return new SqlValue.Int((long) kept);
    }
    String digits = this == SINGLE ? Float.toString((float) kept) : Double.toString(kept);
    return new SqlValue.Decimal(new BigDecimal(digits));
  }
}
