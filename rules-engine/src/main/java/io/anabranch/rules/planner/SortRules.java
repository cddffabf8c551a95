package io.anabranch.rules.planner;

import io.anabranch.rules.plan.ResultColumn;

/** How the merge lane may compare a column, by its protocol type. */
enum SortRules {
  /** The value itself. */
  VALUE,
  /** A hidden column with the value as a number: ENUM and SET. */
  NUMBER,
  /** A hidden column with the value as a double: FLOAT, whose text is rounded. */
  DOUBLE,
  /** A hidden column with the collation's weights. */
  WEIGHT,
  /** Not at all. */
  NONE;

  private static final int FLOAT = 4;
  private static final int VARCHAR = 15;
  private static final int JSON = 245;
  private static final int ENUM = 247;
  private static final int SET = 248;
  private static final int TINY_BLOB = 249;
  private static final int STRING = 254;
  private static final int GEOMETRY = 255;
  private static final int BINARY_COLLATION = 63;
  private static final int ENUM_FLAG = 0x100;
  private static final int SET_FLAG = 0x800;
  private static final int ZEROFILL_FLAG = 0x40;

  static SortRules of(ResultColumn column) {
    int type = column.type();
    if (type == ENUM || type == SET || (column.flags() & (ENUM_FLAG | SET_FLAG)) != 0) {
      return NUMBER;
    }
    if (type == FLOAT) {
      return DOUBLE;
    }
    if (type == JSON || type == GEOMETRY) {
      return NONE;
    }
    return isText(column) ? WEIGHT : VALUE;
  }

  private static boolean isText(ResultColumn column) {
    int type = column.type();
    return column.collation() != BINARY_COLLATION
        && (type == VARCHAR || (type >= TINY_BLOB && type <= STRING));
  }

  /** Whether a HAVING can compare it as a number. */
  static boolean isNumber(ResultColumn column) {
    return switch (column.type()) {
      case 0, 1, 2, 3, 5, 8, 9, 246 -> true;
      default -> false;
    };
  }

  /** Whether UNION keeps the column as it is: it forgets ZEROFILL. */
  static boolean survivesUnion(ResultColumn column) {
    return (column.flags() & ZEROFILL_FLAG) == 0;
  }

  /** What is put around an expression for the hidden column. */
  String before() {
    return this == WEIGHT ? "WEIGHT_STRING(" : "(";
  }

  String after() {
    return switch (this) {
      case NUMBER -> ")+0";
      case DOUBLE -> ")+0.0e0";
      case VALUE, WEIGHT, NONE -> ")";
    };
  }
}
