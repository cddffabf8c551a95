package io.anabranch.backend.row;

import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.Arrays;
import java.util.List;

/**
 * Compares rows by one key; NULL is the lowest value.
 *
 * <p>Where databases have sorted the rows they have looked at the first {@code max_sort_length}
 * bytes of each string only: those that differ behind them came in any order.
 */
public final class KeyOrder {

  /** Bytes that servers look at, by default, of a string without collation. */
  private static final int SORTED_BYTES = 1000;

  /** Of MariaDB's weights of 256 characters, by the length of a blank's weight. */
  private static final int SORTED_UNICODE = 512;

  private static final int SORTED_BINARY_UNICODE = 768;

  private final int value;
  private final int column;
  private final boolean isDescending;
  private final CellOrder order;
  private final String name;
  private final byte[] pad;

  /** Strings that are the same up to here and differ behind it cannot be told apart. */
  private final int looked;

  /**
   * @param areSorted whether databases have sorted the rows by this key
   * @throws io.anabranch.rules.error.RefusedException for a FLOAT as text, whose six digits do not
   *     tell its value
   */
  public KeyOrder(SortKey key, List<ResultColumn> columns, RowFormat format, boolean areSorted) {
    value = key.column();
    column = key.weight() >= 0 ? key.weight() : key.column();
    isDescending = key.descending();
    name = columns.get(value).name();
    CellKind kind = CellKind.of(columns.get(column));
    if (kind == CellKind.FLOAT && format == RowFormat.TEXT) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing the FLOAT column '" + name + "'", "use CAST(… AS DOUBLE)");
    }
    pad = key.padWeight();
    looked = areSorted && kind == CellKind.BYTES ? looked(key) : Integer.MAX_VALUE;
    order = CellOrder.of(kind, format, pad);
  }

  private static int looked(SortKey key) {
    if (key.weight() < 0) {
      return SORTED_BYTES;
    }
    return switch (key.padWeight().length) {
      case 1 -> SORTED_BYTES;
      case 3 -> SORTED_BINARY_UNICODE;
      default -> SORTED_UNICODE;
    };
  }

  public boolean isNull(RowReader row) {
    boolean isNull = row.isNull(column);
    if (isNull && column != value && !row.isNull(value)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing a value of column '" + name + "' that has no collation weight",
          "compare a prefix of it, LEFT(…)");
    }
    return isNull;
  }

  public int compare(RowReader a, RowReader b) {
    boolean aNull = isNull(a);
    boolean bNull = isNull(b);
    int result;
    if (aNull || bNull) {
      result = aNull == bNull ? 0 : aNull ? -1 : 1;
    } else {
      result =
          order.compare(
              a.payload(),
              a.offset(column),
              a.length(column),
              b.payload(),
              b.offset(column),
              b.length(column));
      if (result != 0 && Math.max(a.length(column), b.length(column)) > looked) {
        checkDifference(a, b);
      }
    }
    return isDescending ? -result : result;
  }

  private void checkDifference(RowReader a, RowReader b) {
    boolean isLonger = a.length(column) > b.length(column);
    RowReader longer = isLonger ? a : b;
    RowReader shorter = isLonger ? b : a;
    int both = shorter.length(column);
    int from = longer.offset(column);
    int at =
        Arrays.mismatch(
            longer.payload(),
            from,
            from + both,
            shorter.payload(),
            shorter.offset(column),
            shorter.offset(column) + both);
    if (at < 0) {
      at = both;
      while (pad.length > 0
          && at < longer.length(column)
          && longer.payload()[from + at] == pad[(at - both) % pad.length]) {
        at++;
      }
    }
    if (at >= looked) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "sorting or grouping strings of column '"
              + name
              + "' that differ only behind the bytes that databases look at (max_sort_length)",
          "sort by a part of them that differs, RIGHT(…), or by another column");
    }
  }
}
