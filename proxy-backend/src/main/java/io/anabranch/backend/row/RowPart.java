package io.anabranch.backend.row;

import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Some neighbouring cells of a row, as a row. It points at another one when the row does.
 *
 * @param from the first cell
 */
public record RowPart(RowCells row, int from, int width) implements RowCells {

  /** The row in {@code count} parts that are equally wide. */
  public static List<RowPart> of(RowCells row, int count) {
    int width = row.width() / count;
    return IntStream.range(0, count).mapToObj(i -> new RowPart(row, i * width, width)).toList();
  }

  @Override
  public void append(SqlBuffer out, int column) {
    row.append(out, from + column);
  }

  @Override
  public void append(SqlBuffer out, int column, StoredIn in) {
    row.append(out, from + column, in);
  }

  @Override
  public SqlValue value(int column) {
    return row.value(from + column);
  }

  @Override
  public SqlValue value(int column, StoredIn in) {
    return row.value(from + column, in);
  }
}
