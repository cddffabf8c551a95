package io.anabranch.rules.placement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.MomentText;
import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sharding column of rows that come: what it will hold when it is given a value of another type,
 * by the rules of databases. Fractions of seconds are cut by some and rounded by others, and how
 * many digits a column keeps is its own matter: then there are several possibilities, which all
 * have to lead to one node.
 *
 * @param form null where the rows' values have been read from such a column
 */
record NewKey(String column, KeyType type, @Nullable StoredForm form) {

  private static final Pattern NUMBER =
      Pattern.compile(
          " *([+-]?(?:[0-9]{1,20}(?:\\.[0-9]*)?"
              + "|(?:[0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?)) *");
  private static final int NANO_DIGITS = 9;

  private static final long FIRST_OF_FOUR_DIGITS = 10_000_101L;
  private static final double FIRST_INEXACT = 0x1p53;

  /**
   * @param value null if it is an expression
   * @return at least one
   * @throws io.anabranch.rules.error.RefusedException if nobody knows what will be stored
   */
  List<SqlValue> of(@Nullable SqlValue value) {
    StoredForm into = form;
    if (into == null
        || value == null
        || value == SqlValue.Unknown.UNKNOWN
        || value == SqlValue.Null.NULL) {
      return List.of(StoredKey.of(column, type, value));
    }
    if (into.floating() != FloatingForm.NONE) {
      return List.of(into.floating().stored(value));
    }
    if (type == KeyType.OTHER && !into.isText()) {
      DecimalForm decimal = into.decimal();
      return List.of(decimal == null ? StoredKey.of(column, type, value) : decimal(decimal, value));
    }
    if (type == KeyType.INTEGER && value instanceof SqlValue.Int && into.holds(value)) {
      return List.of(value);
    }
    if (into.isText() && value instanceof SqlValue.DateTime) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' may be stored as another value",
          "give it as text");
    }
    List<SqlValue> stored = into.isText() ? text(value) : converted(value);
    if (stored.isEmpty()) {
      return List.of(StoredKey.of(column, type, value));
    }
    if (type != KeyType.OTHER && !stored.stream().allMatch(into::holds)) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' would be cut", "give one that fits");
    }
    return stored;
  }

  private SqlValue decimal(DecimalForm into, SqlValue value) {
    BigDecimal stored = into.stored(value);
    if (stored == null) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' may be stored as another value",
          "give it in the column's own type");
    }
    if (!into.holds(stored)) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' would be cut", "give one that fits");
    }
    return DecimalForm.key(stored);
  }

  private List<SqlValue> text(SqlValue value) {
    String digits =
        switch (value) {
          case SqlValue.Int(long number) -> Long.toString(number);
          case SqlValue.Decimal(BigDecimal number) -> number.toPlainString();
          case SqlValue.Date(LocalDate day) -> day.toString();
          default -> null;
        };
    if (digits != null) {
      return List.of(new SqlValue.Text(digits));
    }
    SqlValue stored = value;
    if (value instanceof SqlValue.Text(String text) && form != null) {
      String kept = form.stored(text);
      if (kept == null) {
        throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
            "the value of sharding column '"
                + column
                + "' has characters that its character set may not hold",
            "give one that fits");
      }
      stored = new SqlValue.Text(kept);
    }
    SqlValue key = type == KeyType.OTHER ? stored : type.key(stored);
    return key == null ? List.of() : List.of(key);
  }

  private List<SqlValue> converted(SqlValue value) {
    return switch (type) {
      case INTEGER -> integer(value);
      case DATE ->
          moments(value, 0)
              .map(moment -> (SqlValue) new SqlValue.Date(moment.toLocalDate()))
              .distinct()
              .toList();
      case DATETIME ->
          moments(value, form == null ? 0 : form.fraction())
              .map(moment -> (SqlValue) new SqlValue.DateTime(moment))
              .toList();
      case TEXT, EXACT_TEXT, OTHER -> List.of();
    };
  }

  /** Fractions are rounded away from zero. */
  private static List<SqlValue> integer(SqlValue value) {
    BigDecimal number =
        switch (value) {
          case SqlValue.Int(long whole) -> BigDecimal.valueOf(whole);
          case SqlValue.Decimal(BigDecimal decimal) -> decimal;
          case SqlValue.Bytes bits -> Literals.number(bits);
          case SqlValue.Floating(double floating) when isRounded(floating) ->
              BigDecimal.valueOf(Math.rint(floating));
          case SqlValue.Text(String text) when !NumberText.isTooLong(text) -> {
            Matcher digits = NUMBER.matcher(text);
            yield digits.matches() ? new BigDecimal(digits.group(1)) : null;
          }
          default -> null;
        };
    SqlValue key =
        number == null
            ? null
            : KeyType.INTEGER.key(new SqlValue.Decimal(number.setScale(0, RoundingMode.HALF_UP)));
    return key == null ? List.of() : List.of(key);
  }

  /** Integer and DECIMAL columns round a floating half to different numbers. */
  private static boolean isRounded(double floating) {
    return Math.abs(floating) < FIRST_INEXACT && Math.abs(floating - Math.rint(floating)) != 0.5;
  }

  /**
   * The moments that may be stored: digits that a column does not keep are cut, or rounded.
   *
   * @param fraction digits of a second that it keeps
   */
  private static Stream<LocalDateTime> moments(SqlValue value, int fraction) {
    LocalDateTime moment =
        switch (value) {
          case SqlValue.Date date -> date.value().atStartOfDay();
          case SqlValue.DateTime dateTime -> dateTime.value();
          case SqlValue.Text(String text) -> MomentText.of(text);
          case SqlValue.Int(long number) when number >= FIRST_OF_FOUR_DIGITS ->
              MomentText.of(Long.toString(number));
          default -> null;
        };
    if (moment == null) {
      return Stream.of();
    }
    int unit = 1;
    for (int digit = fraction; digit < NANO_DIGITS; digit++) {
      unit *= 10;
    }
    int rest = moment.get(ChronoField.NANO_OF_SECOND) % unit;
    LocalDateTime cut = moment.minusNanos(rest);
    return 2L * rest < unit ? Stream.of(cut) : Stream.of(cut, cut.plusNanos(unit));
  }
}
