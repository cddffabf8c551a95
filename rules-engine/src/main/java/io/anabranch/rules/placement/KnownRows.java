package io.anabranch.rules.placement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of an INSERT hold in the columns that matter: of a million rows, little more than
 * the values. Immutable once it is filled.
 */
public final class KnownRows {

  private final List<String> columns;
  private final List<@Nullable RowValue[]> rows = new ArrayList<>();

  /**
   * No rows yet.
   *
   * @param columns lower-case names of those that are known
   */
  public KnownRows(List<String> columns) {
    this.columns = List.copyOf(columns);
  }

  /** Lower-case names of the columns whose values are known. */
  public List<String> columns() {
    return columns;
  }

  /**
   * One row more.
   *
   * @param values in the order of {@link #columns}, kept; null where the row gives nothing
   */
  public void add(@Nullable RowValue[] values) {
    rows.add(values);
  }

  public int size() {
    return rows.size();
  }

  /** Null: the row gives nothing, or the column does not matter. */
  public @Nullable RowValue get(int row, String column) {
    int position = columns.indexOf(column);
    return position < 0 ? null : rows.get(row)[position];
  }
}
