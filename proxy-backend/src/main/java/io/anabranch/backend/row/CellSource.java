package io.anabranch.backend.row;

import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.value.StoredIn;

/** What cells come from: columns of other types store some otherwise than literals of the value. */
enum CellSource {
  /** Stored as its literal in columns of all types. */
  PLAIN,
  /** A column of numbers that are written in a way of its own: {@code 0007}. */
  DIGITS,
  /** A column of BIT. */
  BITS,
  /** A column of ENUM or SET, whose values have numbers. */
  CHOICE,
  /** A column of TIME, DATETIME, TIMESTAMP. */
  MOMENT,
  /** A DECIMAL that is computed: servers give texts fewer digits of some than they tell. */
  COMPUTED_DECIMAL,
  /** A TIME that is computed: servers store some as their texts, and some as what they are. */
  COMPUTED_TIME,
  /** A DATE that is computed. */
  COMPUTED_DATE,
  /** A DATETIME that is computed. */
  COMPUTED_MOMENT,
  /** A time of a parameter and nothing else. */
  PARAMETER,
  /** A JSON of MySQL's, whose values have types. */
  DOCUMENT,
  /** A geometry, which MariaDB assigns to no number. */
  SHAPE,
  /** A type of MariaDB's own, which it assigns to texts only. */
  FOREIGN;

  /** How a cell is given to its column. */
  enum Way {
    LITERAL,
    /** The text that clients see of it. */
    TEXT,
    /** The same without a fraction of a second. */
    SECONDS,
    /** A number, if it is one. */
    NUMBER,
    BYTES,
    REFUSED
  }

  private static final int ZEROFILL = 0x40;
  private static final int ENUM = 0x100;
  private static final int SET = 0x800;
  private static final int ALL_DECIMALS = 31;

  static CellSource of(ResultColumn column) {
    boolean isColumn = isOfColumn(column);
    if ((column.flags() & (ENUM | SET)) != 0) {
      return CHOICE;
    }
    if (column.extended().contains("uuid") || column.extended().contains("inet")) {
      return FOREIGN;
    }
    return switch (ColumnType.of(column.type())) {
      case TINY, SHORT, LONG, INT24, LONGLONG ->
          isColumn && (column.flags() & ZEROFILL) != 0 ? DIGITS : PLAIN;
      case DECIMAL, NEWDECIMAL ->
          isColumn
              ? (column.flags() & ZEROFILL) != 0 ? DIGITS : PLAIN
              : column.decimals() > 0 ? COMPUTED_DECIMAL : PLAIN;
      case YEAR, FLOAT -> isColumn ? DIGITS : PLAIN;
      case DOUBLE -> isColumn && column.decimals() < ALL_DECIMALS ? DIGITS : PLAIN;
      case BIT -> isColumn ? BITS : PLAIN;
      case TIME, TIME2 -> isColumn ? MOMENT : computed(column, COMPUTED_TIME);
      case DATE, NEWDATE -> isColumn ? PLAIN : computed(column, COMPUTED_DATE);
      case TIMESTAMP, TIMESTAMP2, DATETIME, DATETIME2 ->
          isColumn ? MOMENT : computed(column, COMPUTED_MOMENT);
      case JSON -> DOCUMENT;
      case GEOMETRY -> SHAPE;
      default -> PLAIN;
    };
  }

  private static CellSource computed(ResultColumn column, CellSource source) {
    return column.name().equals("?") ? PARAMETER : source;
  }

  /** Whether it is a table's or a derived table's, and no expression. */
  static boolean isOfColumn(ResultColumn column) {
    return !column.table().isEmpty();
  }

  Way into(StoredIn in) {
    StoredIn.Kind kind = in.kind();
    boolean ofMySql = !in.isMariaDb();
    boolean isCounted = kind == StoredIn.Kind.BITS || kind == StoredIn.Kind.YEAR;
    boolean isNumber = isCounted || kind == StoredIn.Kind.WHOLE || kind == StoredIn.Kind.NUMBER;
    boolean isTime = kind == StoredIn.Kind.TIME;
    boolean isDay = kind == StoredIn.Kind.DAY;
    return switch (this) {
      case PLAIN -> Way.LITERAL;
      case DIGITS -> kind.isLong() ? Way.TEXT : Way.LITERAL;
      case BITS -> kind.isLong() ? Way.BYTES : Way.LITERAL;
      case CHOICE -> isNumber ? Way.REFUSED : Way.LITERAL;
      case MOMENT -> ofMySql && isCounted ? Way.REFUSED : Way.LITERAL;
      case COMPUTED_DECIMAL -> kind.isString() ? Way.REFUSED : Way.LITERAL;
      case COMPUTED_TIME -> ofMySql && (isNumber || isDay) ? Way.REFUSED : Way.LITERAL;
      case COMPUTED_DATE -> ofMySql && (isNumber || isTime) ? Way.REFUSED : Way.LITERAL;
      case COMPUTED_MOMENT -> ofMySql && isNumber ? Way.REFUSED : Way.LITERAL;
      case PARAMETER ->
          !ofMySql
              ? Way.LITERAL
              : isCounted ? Way.REFUSED : kind.isString() ? Way.SECONDS : Way.LITERAL;
      case DOCUMENT ->
          isCounted || isTime || isDay ? Way.REFUSED : isNumber ? Way.NUMBER : Way.LITERAL;
      case SHAPE -> in.isMariaDb() && (isNumber || isTime || isDay) ? Way.REFUSED : Way.LITERAL;
      case FOREIGN ->
          kind == StoredIn.Kind.ANY
                  || kind == StoredIn.Kind.SHORT_TEXT
                  || kind == StoredIn.Kind.LONG_TEXT
              ? Way.LITERAL
              : Way.REFUSED;
    };
  }
}
