package io.anabranch.backend.row;

import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;

/** One row as SQL literals. Used by one thread; the object may be used again for the next row. */
public interface RowCells {

  /** Number of cells. */
  int width();

  /** Appends the literal of a cell. */
  void append(SqlBuffer out, int column);

  /** The value of a cell as routing sees it; dates and times are texts. */
  SqlValue value(int column);
}
