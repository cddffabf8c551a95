package io.anabranch.backend.row;

import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;

/** One row as SQL literals. Used by one thread; the object may be used again for the next row. */
public interface RowCells {

  /** Number of cells. */
  int width();

  /** Appends the literal of a cell. */
  void append(SqlBuffer out, int column);

  /**
   * The same for a column that the cell is assigned to.
   *
   * @throws io.anabranch.rules.error.RefusedException no literal is stored there as the value is
   */
  void append(SqlBuffer out, int column, StoredIn in);

  /** Whether the literals may stand in a select list, too: DEFAULT may not. */
  default boolean isSelectable() {
    return true;
  }

  /** The value of a cell as routing sees it; dates and times are texts. */
  SqlValue value(int column);

  /** The same for a column that the cell is assigned to. */
  default SqlValue value(int column, StoredIn in) {
    return value(column);
  }
}
