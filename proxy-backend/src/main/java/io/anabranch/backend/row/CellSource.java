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
  /** TIME, DATETIME, TIMESTAMP. */
  MOMENT,
  /** The same, of a parameter and nothing else. */
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
      case TINY, SHORT, LONG, INT24, LONGLONG, DECIMAL, NEWDECIMAL ->
          isColumn && (column.flags() & ZEROFILL) != 0 ? DIGITS : PLAIN;
      case YEAR, FLOAT -> isColumn ? DIGITS : PLAIN;
      case DOUBLE -> isColumn && column.decimals() < ALL_DECIMALS ? DIGITS : PLAIN;
      case BIT -> isColumn ? BITS : PLAIN;
      case TIME, TIME2, TIMESTAMP, TIMESTAMP2, DATETIME, DATETIME2 ->
          !isColumn && column.name().equals("?") ? PARAMETER : MOMENT;
      case JSON -> DOCUMENT;
      case GEOMETRY -> SHAPE;
      default -> PLAIN;
    };
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
    boolean isMoment = kind == StoredIn.Kind.MOMENT;
    return switch (this) {
      case PLAIN -> Way.LITERAL;
      case DIGITS -> kind.isLong() ? Way.TEXT : Way.LITERAL;
      case BITS -> kind.isLong() ? Way.BYTES : Way.LITERAL;
      case CHOICE -> isNumber ? Way.REFUSED : Way.LITERAL;
      case MOMENT -> ofMySql && isCounted ? Way.REFUSED : Way.LITERAL;
      case PARAMETER ->
          !ofMySql
              ? Way.LITERAL
              : isCounted ? Way.REFUSED : kind.isString() ? Way.SECONDS : Way.LITERAL;
      case DOCUMENT -> isCounted || isMoment ? Way.REFUSED : isNumber ? Way.NUMBER : Way.LITERAL;
      case SHAPE -> in.isMariaDb() && (isNumber || isMoment) ? Way.REFUSED : Way.LITERAL;
      case FOREIGN ->
          kind == StoredIn.Kind.ANY
                  || kind == StoredIn.Kind.SHORT_TEXT
                  || kind == StoredIn.Kind.LONG_TEXT
              ? Way.LITERAL
              : Way.REFUSED;
    };
  }
}
