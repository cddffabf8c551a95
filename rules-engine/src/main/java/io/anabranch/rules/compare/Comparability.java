package io.anabranch.rules.compare;

import io.anabranch.rules.plan.ResultColumn;

/**
 * How the merge lane may compare a column. The list of types is closed: a type that it does not
 * know, and one that compares otherwise than the bytes that clients get (INET6, UUID, JSON, VECTOR,
 * geometries, BIT), is {@link #NONE}, and a database compares.
 *
 * <p>MariaDB tells INET4, INET6, UUID and JSON in extended metadata only; without them they are
 * strings.
 */
public enum Comparability {
  /** The value itself. */
  VALUE,
  /** A hidden column with the value as a number: columns of ENUM and SET. */
  NUMBER,
  /** A hidden column with the value as a double: numbers whose text is rounded. */
  DOUBLE,
  /**
   * A hidden column with the moment: columns of TIMESTAMP, which servers sort by UTC. What they
   * show is the session's time, of which an hour comes twice where summer time ends.
   */
  MOMENT,
  /** A hidden column with the collation's weights. */
  WEIGHT,
  /** Not at all. */
  NONE;

  private static final int BINARY_COLLATION = 63;
  private static final int ENUM_FLAG = 0x100;
  private static final int SET_FLAG = 0x800;

  /** Decimals of a floating number that is not rounded to any. */
  private static final int NOT_FIXED = 31;

  /** The extended metadata of MariaDB's JSON: format, length of the name, name. */
  private static final String JSON_FORMAT = "\u0001\u0004json";

  public static Comparability of(ResultColumn column) {
    boolean extended = !column.extended().isEmpty();
    if (extended && !column.extended().equals(JSON_FORMAT)) {
      return NONE;
    }
    if ((column.flags() & (ENUM_FLAG | SET_FLAG)) != 0) {
      return isColumn(column) ? NUMBER : NONE;
    }
    return switch (column.type()) {
      // DECIMAL, TINYINT, SMALLINT, INT, NULL, BIGINT, MEDIUMINT
      case 0, 1, 2, 3, 6, 8, 9, 246 -> VALUE;
      // YEAR: two digits of one do not tell 1970 from 2070
      case 13 -> column.length() == 2 ? NONE : VALUE;
      // TIMESTAMP
      case 7 -> isColumn(column) ? MOMENT : VALUE;
      // DATE, TIME, DATETIME
      case 10, 11, 12 -> VALUE;
      case 4 -> DOUBLE;
      case 5 -> column.decimals() >= NOT_FIXED ? VALUE : DOUBLE;
      // ENUM, SET
      case 247, 248 -> isColumn(column) ? NUMBER : NONE;
      // VARCHAR, TEXT and BLOB of four sizes, VARCHAR, CHAR
      case 15, 249, 250, 251, 252, 253, 254 ->
          column.collation() == BINARY_COLLATION ? VALUE : WEIGHT;
      default -> NONE;
    };
  }

  /** Of an expression over an ENUM only the label is left, whatever its type is called. */
  private static boolean isColumn(ResultColumn column) {
    return !column.orgName().isEmpty();
  }

  /** Whether it is a string, of characters or of bytes. */
  public static boolean isString(ResultColumn column) {
    return switch (column.type()) {
      case 15, 249, 250, 251, 252, 253, 254 -> true;
      default -> false;
    };
  }

  /** Whether it is a DATE or a DATETIME. */
  public static boolean isDate(ResultColumn column) {
    return switch (column.type()) {
      case 10, 12 -> true;
      default -> false;
    };
  }

  /** Whether it is a number that compares as a decimal: for HAVING. */
  public static boolean isNumber(ResultColumn column) {
    return switch (column.type()) {
      case 0, 1, 2, 3, 8, 9, 246 -> true;
      case 5 -> column.decimals() >= NOT_FIXED;
      default -> false;
    };
  }

  /** Whether it is an exact number with a point. */
  public static boolean isDecimal(ResultColumn column) {
    return (column.type() == 0 || column.type() == 246) && column.decimals() > 0;
  }

  /** Whether it is a whole number of 64 bits at most. */
  public static boolean isInteger(ResultColumn column) {
    return switch (column.type()) {
      case 1, 2, 3, 8, 9 -> true;
      default -> false;
    };
  }

  /** Whether sums of it have digits that are not sent: floating, but shown with fixed decimals. */
  public static boolean isRounded(ResultColumn column) {
    return column.type() == 4 || (column.type() == 5 && column.decimals() < NOT_FIXED);
  }

  /** What is put in front of an expression for the hidden column. */
  public String before() {
    return switch (this) {
      case WEIGHT -> "WEIGHT_STRING(";
      case MOMENT -> "UNIX_TIMESTAMP(";
      case VALUE, NUMBER, DOUBLE, NONE -> "(";
    };
  }

  /** What is put behind it. */
  public String after() {
    return switch (this) {
      case NUMBER -> ")+0";
      case DOUBLE -> ")+0.0e0";
      case VALUE, MOMENT, WEIGHT, NONE -> ")";
    };
  }
}
