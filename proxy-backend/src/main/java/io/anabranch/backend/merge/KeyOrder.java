package io.anabranch.backend.merge;

import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/** Compares rows by one key; NULL is the lowest value. */
final class KeyOrder {

  private final int value;
  private final int column;
  private final boolean isDescending;
  private final CellOrder order;
  private final String name;

  /**
   * @throws io.anabranch.rules.error.RefusedException for a FLOAT as text, whose six digits do not
   *     tell its value
   */
  KeyOrder(SortKey key, List<ResultColumn> columns, RowFormat format) {
    value = key.column();
    column = key.weight() >= 0 ? key.weight() : key.column();
    isDescending = key.descending();
    name = columns.get(value).name();
    CellKind kind = CellKind.of(columns.get(column));
    if (kind == CellKind.FLOAT && format == RowFormat.TEXT) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing the FLOAT column '" + name + "'", "use CAST(… AS DOUBLE)");
    }
    order = CellOrder.of(kind, format, key.padWeight());
  }

  boolean isNull(RowReader row) {
    boolean isNull = row.isNull(column);
    if (isNull && column != value && !row.isNull(value)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing a value of column '" + name + "' that has no collation weight",
          "compare a prefix of it, LEFT(…)");
    }
    return isNull;
  }

  int compare(RowReader a, RowReader b) {
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
    }
    return isDescending ? -result : result;
  }
}
