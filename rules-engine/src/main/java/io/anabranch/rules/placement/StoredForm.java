package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredCharacters;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
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
 * @param width of a text column, in characters: blanks behind them are cut in any case
 * @param strips whether blanks at the end are not stored
 * @param fraction digits of a second that a column of moments keeps
 * @param floating how it keeps floating numbers
 * @param decimal how it keeps fixed numbers with a fraction; null: it keeps none
 * @param charset of a text column, as servers call it; else null
 * @param cuts whether values that do not fit are cut
 */
public record StoredForm(
    boolean isText,
    @Nullable BigDecimal lowest,
    @Nullable BigDecimal highest,
    int length,
    int width,
    boolean strips,
    int fraction,
    FloatingForm floating,
    @Nullable DecimalForm decimal,
    @Nullable String charset,
    boolean cuts) {

  private static final Pattern LENGTH = Pattern.compile("\\((\\d+)");

  /** Characters that fit in any case. */
  private static final int OF_TINYTEXT = 255 / 4;

  /**
   * @param cuts whether the statement may cut values: IGNORE, or a mode that is not strict
   */
  public static StoredForm of(Column column, boolean cuts) {
    String type = column.type().toLowerCase(Locale.ROOT);
    String word = type.split("[ (]", 2)[0];
    String collation = column.collation();
    boolean isText = word.endsWith("char") || word.endsWith("text");
    int fraction = fraction(type, word);
    if (collation != null && isText) {
      int width = word.endsWith("char") ? length(type, word) : Integer.MAX_VALUE;
      int length = cuts ? length(type, word) : Integer.MAX_VALUE;
      return new StoredForm(
          true,
          null,
          null,
          length,
          width,
          word.equals("char"),
          fraction,
          FloatingForm.NONE,
          null,
          RowCondition.charset(collation),
          cuts);
    }
    FloatingForm floating = FloatingForm.of(type);
    DecimalForm fixed = DecimalForm.of(type);
    DecimalForm decimal = fixed == null || fixed.decimals() == 0 ? null : fixed;
    BigDecimal values = !cuts ? null : fixed == null ? values(word) : fixed.most();
    if (values == null) {
      return number(null, null, fraction, floating, decimal, cuts);
    }
    if (type.contains("unsigned")) {
      boolean isDecimal = word.equals("decimal");
      BigDecimal most = isDecimal ? values : values.multiply(BigDecimal.TWO).add(BigDecimal.ONE);
      return number(BigDecimal.ZERO, most, 0, floating, decimal, cuts);
    }
    BigDecimal least = word.equals("decimal") ? values : values.add(BigDecimal.ONE);
    return number(least.negate(), values, 0, floating, decimal, cuts);
  }

  private static StoredForm number(
      @Nullable BigDecimal lowest,
      @Nullable BigDecimal highest,
      int fraction,
      FloatingForm floating,
      @Nullable DecimalForm decimal,
      boolean cuts) {
    return new StoredForm(
        false,
        lowest,
        highest,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        false,
        fraction,
        floating,
        decimal,
        null,
        cuts);
  }

  /**
   * A text with the characters that the column has, without the blanks at its end that are not
   * stored; null: nobody knows.
   */
  @Nullable String stored(String text) {
    String held = charset == null ? text : held(charset, text);
    if (held == null && cuts) {
      return null;
    }
    return stripped(held == null ? text : held);
  }

  private static @Nullable String held(String charset, String text) {
    StoredCharacters characters = StoredCharacters.of(charset);
    if (characters != null) {
      return characters.stored(text);
    }
    return StandardCharsets.US_ASCII.newEncoder().canEncode(text) ? text : null;
  }

  private String stripped(String text) {
    int end = text.length();
    int least = strips ? 0 : text.offsetByCodePoints(0, Math.min(width, count(text)));
    while (end > least && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  private static int count(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The highest number with a sign; null: the column holds none. */
  private static @Nullable BigDecimal values(String word) {
    return switch (word) {
      case "tinyint" -> BigDecimal.valueOf(Byte.MAX_VALUE);
      case "smallint" -> BigDecimal.valueOf(Short.MAX_VALUE);
      case "mediumint" -> BigDecimal.valueOf((1 << 23) - 1);
      case "int", "integer" -> BigDecimal.valueOf(Integer.MAX_VALUE);
      case "bigint" -> BigDecimal.valueOf(Long.MAX_VALUE);
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
  public boolean holds(SqlValue key) {
    return switch (key) {
      case SqlValue.Int(long number) ->
          (lowest == null && highest == null) || isWithin(BigDecimal.valueOf(number));
      case SqlValue.Decimal(BigDecimal number) -> isWithin(number);
      case SqlValue.Text(String text) -> count(text) <= length;
      default -> true;
    };
  }

  private boolean isWithin(BigDecimal number) {
    return (lowest == null || number.compareTo(lowest) >= 0)
        && (highest == null || number.compareTo(highest) <= 0);
  }
}
