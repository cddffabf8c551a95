package io.anabranch.rules.compare;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/**
 * Whether rows may come through a UNION of several tables and still be those of one: a UNION gives
 * its columns types of its own, and makes FLOAT a DOUBLE, YEAR of 1000 zero, fills computed bytes
 * up with zeros, and clips what a server's own description has too few digits for.
 */
public final class UnitedColumns {

  private static final int UNSIGNED_FLAG = 0x20;
  private static final int ZEROFILL_FLAG = 0x40;
  private static final int NULL = 6;
  private static final int JSON = 245;
  private static final int STRING = 254;
  private static final int BINARY_COLLATION = 63;

  /** Decimals of a floating number that is not rounded to any, and of computed texts. */
  private static final int NOT_FIXED = 31;

  private UnitedColumns() {}

  /**
   * @param alone what the database tells of the query over one table
   * @param united what it tells of the UNION ALL of two such queries
   */
  public static boolean keep(List<ResultColumn> alone, List<ResultColumn> united) {
    boolean keeps = alone.size() == united.size();
    for (int i = 0; keeps && i < alone.size(); i++) {
      keeps = keeps(alone.get(i), united.get(i));
    }
    return keeps;
  }

  private static boolean keeps(ResultColumn alone, ResultColumn united) {
    if (alone.type() == NULL) {
      return true;
    }
    if (alone.type() == JSON && alone.collation() != BINARY_COLLATION) {
      return false;
    }
    boolean sameSign = ((alone.flags() ^ united.flags()) & UNSIGNED_FLAG) == 0;
    boolean plain = ((alone.flags() | united.flags()) & ZEROFILL_FLAG) == 0;
    Family family = Family.of(alone);
    return plain
        && family == Family.of(united)
        && switch (family) {
          // short ones become narrow, and are widened again
          case INTEGER -> sameSign;
          case TEXT ->
              alone.collation() == united.collation()
                  && alone.extended().equals(united.extended())
                  && alone.length() <= united.length()
                  && !isPadded(alone);
          case TEMPORAL -> alone.type() == united.type() && alone.decimals() == united.decimals();
          case DECIMAL ->
              sameSign
                  && alone.decimals() == united.decimals()
                  && alone.length() <= united.length();
          case DOUBLE ->
              sameSign && alone.decimals() >= NOT_FIXED && united.decimals() >= NOT_FIXED;
          case OTHER -> false;
        };
  }

  /** Whether a UNION makes it BINARY, with zeros up to its length, and it was none before. */
  private static boolean isPadded(ResultColumn alone) {
    boolean isComputed = alone.decimals() == NOT_FIXED;
    return alone.type() == STRING && alone.collation() == BINARY_COLLATION && isComputed;
  }

  private enum Family {
    INTEGER,
    DECIMAL,
    DOUBLE,
    TEMPORAL,
    TEXT,
    /** FLOAT, BIT, YEAR, and what nobody knows. */
    OTHER;

    static Family of(ResultColumn column) {
      return switch (column.type()) {
        case 1, 2, 3, 8, 9 -> INTEGER;
        case 0, 246 -> DECIMAL;
        case 5 -> DOUBLE;
        case 7, 10, 11, 12 -> TEMPORAL;
        // strings, ENUM and SET by their labels, JSON and geometries by their bytes
        case 15, 245, 247, 248, 249, 250, 251, 252, 253, 254, 255 -> TEXT;
        default -> OTHER;
      };
    }
  }
}
