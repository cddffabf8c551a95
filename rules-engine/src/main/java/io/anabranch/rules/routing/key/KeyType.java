package io.anabranch.rules.routing.key;

import io.anabranch.rules.value.MomentText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a sharding column's type lets us conclude from {@code column = value}: the one stored value
 * that makes it true, where there is only one.
 *
 * <p>Rows are placed by their stored value. Under a case-insensitive collation {@code 'a'} also
 * finds rows stored as {@code 'A'}, which live elsewhere: there no string is a key. The same holds
 * for comparing a string column with a number, or a TIMESTAMP with a text that depends on the
 * session's time zone.
 */
public enum KeyType {
  INTEGER,
  /** Strings that are equal only when their bytes are, trailing blanks aside. */
  TEXT,
  /** The same with trailing blanks counting. */
  EXACT_TEXT,
  DATE,
  DATETIME,
  /** Nothing can be concluded. */
  OTHER;

  private static final double FIRST_INEXACT = 0x1p53;

  private static final int DATE_LENGTH = 10;

  /**
   * The key type of a column.
   *
   * @param columnType as {@code information_schema.columns.column_type} has it
   * @param collation null for columns without character set
   */
  public static KeyType of(String columnType, @Nullable String collation) {
    String type = columnType.toLowerCase(Locale.ROOT);
    String word = type.split("[ (]", 2)[0];
    return switch (word) {
      case "tinyint", "smallint", "mediumint", "int", "integer", "bigint" -> INTEGER;
      case "decimal", "numeric" -> type.matches(".*\\(\\d+(,0)?\\).*") ? INTEGER : OTHER;
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" -> text(collation);
      case "varbinary", "binary" -> OTHER;
      case "date" -> DATE;
      case "datetime" -> DATETIME;
      default -> OTHER;
    };
  }

  private static KeyType text(@Nullable String collation) {
    if (collation == null || !collation.endsWith("_bin")) {
      return OTHER;
    }
    return collation.endsWith("_nopad_bin") || collation.endsWith("_0900_bin") ? EXACT_TEXT : TEXT;
  }

  /**
   * The stored value that equals {@code value}; null if there may be several or none can be told.
   * NULL stays NULL: it equals nothing.
   */
  public @Nullable SqlValue key(SqlValue value) {
    if (value == SqlValue.Null.NULL) {
      return value;
    }
    return switch (this) {
      case INTEGER -> integer(value);
      case TEXT ->
          value instanceof SqlValue.Text text ? new SqlValue.Text(trimmed(text.value())) : null;
      case EXACT_TEXT -> value instanceof SqlValue.Text ? value : null;
      case DATE -> date(value);
      case DATETIME -> dateTime(value);
      case OTHER -> null;
    };
  }

  /** Whether equal stored values of a column of this type are one key for an algorithm. */
  public boolean isSure() {
    return this != OTHER;
  }

  /** Whether equal stored values of two columns of these types are one key for an algorithm. */
  public static boolean joinable(KeyType left, KeyType right) {
    return left == right && left != OTHER;
  }

  private static @Nullable SqlValue integer(SqlValue value) {
    return switch (value) {
      case SqlValue.Int ignored -> value;
      case SqlValue.Decimal decimal -> whole(decimal.value());
      case SqlValue.Floating(double number) -> wholeDouble(number);
      case SqlValue.Text text -> wholeText(text.value());
      default -> null;
    };
  }

  private static @Nullable SqlValue whole(BigDecimal decimal) {
    BigInteger integer;
    try {
      integer = decimal.toBigIntegerExact();
    } catch (ArithmeticException fraction) {
      return null;
    }
    return integer.bitLength() < Long.SIZE
        ? new SqlValue.Int(integer.longValueExact())
        : new SqlValue.Decimal(new BigDecimal(integer));
  }

  /** Drivers of languages without integers send them so. From 2^53 on several are one double. */
  private static @Nullable SqlValue wholeDouble(double number) {
    return Math.abs(number) < FIRST_INEXACT && Math.rint(number) == number
        ? new SqlValue.Int((long) number)
        : null;
  }

  /** Texts compare with integers as doubles, which are exact up to 15 digits. */
  private static @Nullable SqlValue wholeText(String text) {
    int from = text.startsWith("-") ? 1 : 0;
    int digits = text.length() - from;
    if (digits < 1 || digits > 15) {
      return null;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return null;
      }
    }
    return new SqlValue.Int(Long.parseLong(text));
  }

  private static String trimmed(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  /** Of a text that has a time of day only a database knows what it makes of that. */
  private static @Nullable SqlValue date(SqlValue value) {
    return switch (value) {
      case SqlValue.Date ignored -> value;
      case SqlValue.Text(String text) when text.length() == DATE_LENGTH -> {
        LocalDateTime day = MomentText.usual(text);
        yield day == null ? null : new SqlValue.Date(day.toLocalDate());
      }
      default -> null;
    };
  }

  private static @Nullable SqlValue dateTime(SqlValue value) {
    return switch (value) {
      case SqlValue.DateTime ignored -> value;
      case SqlValue.Date date -> new SqlValue.DateTime(date.value().atStartOfDay());
      case SqlValue.Text(String text) -> {
        LocalDateTime moment = MomentText.usual(text);
        yield moment == null ? null : new SqlValue.DateTime(moment);
      }
      default -> null;
    };
  }
}
