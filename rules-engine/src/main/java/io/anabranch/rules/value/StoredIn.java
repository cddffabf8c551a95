package io.anabranch.rules.value;

import java.util.Locale;

/**
 * What kind of column a value is stored in, as far as servers store a value of a column there in
 * another way than a literal of the same value.
 */
public record StoredIn(Kind kind, boolean isMariaDb) {

  /** Unknown, or the column that the value comes from. */
  public static final StoredIn ANY = new StoredIn(Kind.ANY, false);

  public enum Kind {
    ANY,
    WHOLE,
    /** DECIMAL, FLOAT and DOUBLE. */
    NUMBER,
    BITS,
    YEAR,
    TIME,
    /** DATE, DATETIME and TIMESTAMP. */
    DAY,
    /** CHAR and VARCHAR. */
    SHORT_TEXT,
    LONG_TEXT,
    SHORT_BYTES,
    LONG_BYTES;

    public boolean isLong() {
      return this == LONG_TEXT || this == LONG_BYTES;
    }

    public boolean isString() {
      return isLong() || this == SHORT_TEXT || this == SHORT_BYTES;
    }
  }

  /**
   * @param type as in {@code information_schema.columns.column_type}
   */
  public static StoredIn of(String type, boolean isMariaDb) {
    return new StoredIn(kind(type.toLowerCase(Locale.ROOT).split("[ (]", 2)[0]), isMariaDb);
  }

  private static Kind kind(String word) {
    return switch (word) {
      case "tinyint", "smallint", "mediumint", "int", "bigint" -> Kind.WHOLE;
      case "decimal", "float", "double" -> Kind.NUMBER;
      case "bit" -> Kind.BITS;
      case "year" -> Kind.YEAR;
      case "time" -> Kind.TIME;
      case "date", "datetime", "timestamp" -> Kind.DAY;
      case "char", "varchar" -> Kind.SHORT_TEXT;
      case "tinytext", "text", "mediumtext", "longtext" -> Kind.LONG_TEXT;
      case "binary", "varbinary" -> Kind.SHORT_BYTES;
      case "tinyblob", "blob", "mediumblob", "longblob" -> Kind.LONG_BYTES;
      default -> Kind.ANY;
    };
  }
}
