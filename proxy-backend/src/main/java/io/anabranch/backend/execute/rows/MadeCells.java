package io.anabranch.backend.execute.rows;

import io.anabranch.backend.row.RowCells;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;

/** A line of a file with the cells behind it that are made from its fields. */
public final class MadeCells implements RowCells {

  private final PlanNode.Load load;
  private final FileRow row;

  /**
   * @param row that points at a line of the file
   */
  public MadeCells(PlanNode.Load load, FileRow row) {
    this.load = load;
    this.row = row;
  }

  @Override
  public int width() {
    return row.width();
  }

  @Override
  public void append(SqlBuffer out, int column) {
    if (column < load.firstMade()) {
      row.append(out, column);
      return;
    }
    PlanNode.Load.MadeCell cell = load.made().get(column - load.firstMade());
    SqlValue field =
        row.isMissing(cell.field())
            ? SqlValue.Unknown.UNKNOWN
            : row.exact(cell.field(), cell.column());
    out.append(cell.literal().of(field).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void append(SqlBuffer out, int column, StoredIn in) {
    append(out, column);
  }

  @Override
  public boolean isSelectable() {
    return row.isSelectable();
  }

  @Override
  public SqlValue value(int column) {
    return row.value(column);
  }
}
