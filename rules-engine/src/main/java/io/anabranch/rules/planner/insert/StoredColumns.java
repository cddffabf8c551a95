package io.anabranch.rules.planner.insert;

import io.anabranch.rules.plan.PlanNode.Load.CellText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a file's rows that the table does not have: it has others in their place, whose values
 * are made from those of the file. Immutable; any thread.
 *
 * @param all columns of a row whose file is loaded without a list; null: those of the table
 * @param cells what is stored for a column, by its lower-case name
 */
public record StoredColumns(@Nullable List<String> all, Map<String, List<Cell>> cells) {

  /** Each column is stored as it is. */
  public static final StoredColumns NONE = new StoredColumns(null, Map.of());

  public StoredColumns {
    all = all == null ? null : List.copyOf(all);
    cells = Map.copyOf(cells);
  }

  /**
   * A column of the table.
   *
   * @param literal what is stored for a value, as SQL of ASCII characters; the unknown value is
   *     that of a field that the file does not have. Refuses values that cannot be stored
   */
  public record Cell(String name, CellText literal) {}

  /** Empty: the column is stored as it is. */
  List<Cell> of(String column) {
    return cells.getOrDefault(column.toLowerCase(Locale.ROOT), List.of());
  }

  /** Names of the table's columns for one of the file's. */
  List<String> names(String column) {
    List<Cell> stored = of(column);
    return stored.isEmpty() ? List.of(column) : stored.stream().map(Cell::name).toList();
  }
}
