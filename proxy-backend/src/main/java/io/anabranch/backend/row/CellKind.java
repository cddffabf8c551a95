package io.anabranch.backend.row;

import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;

/** How the values of a column compare. */
public enum CellKind {
  SIGNED,
  UNSIGNED,
  DECIMAL,
  FLOAT,
  DOUBLE,
  DATE_TIME,
  TIME,
  /** Byte by byte: strings (their collation's weights, rather), BIT, BLOB. */
  BYTES;

  public static CellKind of(ResultColumn column) {
    boolean isUnsigned = (column.flags() & ColumnFlag.UNSIGNED) != 0;
    return switch (ColumnType.of(column.type())) {
      case TINY, SHORT, LONG, INT24, LONGLONG -> isUnsigned ? UNSIGNED : SIGNED;
      case YEAR, BOOL -> UNSIGNED;
      case DECIMAL, NEWDECIMAL -> DECIMAL;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case TIMESTAMP, DATE, DATETIME, NEWDATE, TIMESTAMP2, DATETIME2 -> DATE_TIME;
      case TIME, TIME2 -> TIME;
      case NULL,
          VARCHAR,
          BIT,
          TYPED_ARRAY,
          VECTOR,
          INVALID,
          JSON,
          ENUM,
          SET,
          TINY_BLOB,
          MEDIUM_BLOB,
          LONG_BLOB,
          BLOB,
          VAR_STRING,
          STRING,
          GEOMETRY ->
          BYTES;
    };
  }

  public boolean isExactNumber() {
    return this == SIGNED || this == UNSIGNED || this == DECIMAL;
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }
}
