package io.anabranch.rules.planner;

import io.anabranch.rules.planner.SchemaCatalog.Column;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a sharding column makes of values that do not fit: a database that is not strict cuts them.
 *
 * @param isText whether it stores numbers as their digits
 * @param lowest null: whatever is less is an error
 * @param highest null: whatever is more is an error
 * @param length in characters; what is longer is cut
 * @param fraction digits of a second that a column of moments keeps
 */
record StoredForm(
    boolean isText,
    @Nullable BigDecimal lowest,
    @Nullable BigDecimal highest,
    int length,
    int fraction) {

  private static final Pattern LENGTH = Pattern.compile("\\((\\d+)");

  /** Characters that fit in any case. */
  private static final int OF_TINYTEXT = 255 / 4;

  /**
   * @param cuts whether the statement may cut values: IGNORE, or a mode that is not strict
   */
  static StoredForm of(Column column, boolean cuts) {
    String type = column.type().toLowerCase(Locale.ROOT);
    String word = type.split("[ (]", 2)[0];
    boolean isText = column.collation() != null && (word.endsWith("char") || word.endsWith("text"));
    if (!cuts) {
      return new StoredForm(isText, null, null, Integer.MAX_VALUE, fraction(type, word));
    }
    BigDecimal values = values(type, word);
    if (values == null) {
      return new StoredForm(isText, null, null, length(type, word), fraction(type, word));
    }
    if (type.contains("unsigned")) {
      boolean isDecimal = word.equals("decimal");
      BigDecimal most = isDecimal ? values : values.multiply(BigDecimal.TWO).add(BigDecimal.ONE);
      return new StoredForm(false, BigDecimal.ZERO, most, Integer.MAX_VALUE, 0);
    }
    BigDecimal least = word.equals("decimal") ? values : values.add(BigDecimal.ONE);
    return new StoredForm(false, least.negate(), values, Integer.MAX_VALUE, 0);
  }

  /** The highest number with a sign; null: the column holds none. */
  private static @Nullable BigDecimal values(String type, String word) {
    return switch (word) {
      case "tinyint" -> BigDecimal.valueOf(Byte.MAX_VALUE);
      case "smallint" -> BigDecimal.valueOf(Short.MAX_VALUE);
      case "mediumint" -> BigDecimal.valueOf((1 << 23) - 1);
      case "int", "integer" -> BigDecimal.valueOf(Integer.MAX_VALUE);
      case "bigint" -> BigDecimal.valueOf(Long.MAX_VALUE);
      case "decimal" -> {
        Matcher digits = LENGTH.matcher(type);
        yield digits.find()
            ? BigDecimal.TEN.pow(Integer.parseInt(digits.group(1))).subtract(BigDecimal.ONE)
            : null;
      }
      default -> null;
    };
  }

  private static int length(String type, String word) {
    if (word.equals("tinytext")) {
      return OF_TINYTEXT;
    }
    Matcher length = LENGTH.matcher(type);
    return word.endsWith("char") && length.find()
        ? Integer.parseInt(length.group(1))
        : Integer.MAX_VALUE;
  }

  private static int fraction(String type, String word) {
    Matcher digits = LENGTH.matcher(type);
    return word.equals("datetime") && digits.find() ? Integer.parseInt(digits.group(1)) : 0;
  }

  /** Whether the column holds the value as it is, or refuses it. */
  boolean holds(SqlValue key) {
    return switch (key) {
      case SqlValue.Int(long number) ->
          (lowest == null && highest == null) || isWithin(BigDecimal.valueOf(number));
      case SqlValue.Decimal(BigDecimal number) -> isWithin(number);
      case SqlValue.Text(String text) -> text.codePointCount(0, text.length()) <= length;
      default -> true;
    };
  }

  private boolean isWithin(BigDecimal number) {
    return (lowest == null || number.compareTo(lowest) >= 0)
        && (highest == null || number.compareTo(highest) <= 0);
  }
}
