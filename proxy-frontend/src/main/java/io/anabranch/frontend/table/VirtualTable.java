package io.anabranch.frontend.table;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** A table whose rows the proxy has. Thread-safe. */
public interface VirtualTable {

  /** In lower case; needs no quotes. */
  String name();

  List<VirtualColumn> columns();

  /** All rows as they are now, cells as text in the order of the columns. May block. */
  List<? extends List<@Nullable String>> rows();

  /** The same, each text as its column has room for it. */
  default List<List<@Nullable String>> fittingRows() {
    List<VirtualColumn> columns = columns();
    var fitting = new ArrayList<List<@Nullable String>>();
    for (List<@Nullable String> row : rows()) {
      var cells = new ArrayList<@Nullable String>(row.size());
      for (int i = 0; i < row.size(); i++) {
        cells.add(columns.get(i).fitting(row.get(i)));
      }
      fitting.add(cells);
    }
    return fitting;
  }

  /** Forgets all rows; false: they cannot be forgotten. */
  default boolean clear() {
    return false;
  }

  /** What follows {@code CREATE TEMPORARY TABLE name}. */
  default String definition() {
    var columns = new StringJoiner(", ", "(", ")");
    for (VirtualColumn column : columns()) {
      columns.add("`" + column.name() + "` " + column.definition());
    }
    return columns.toString();
  }

  /** How cells go into a table of that definition. */
  default List<Cell> cells() {
    return columns().stream().map(VirtualColumn::cell).toList();
  }

  /** What a client is told of all columns. */
  default List<ResultColumn> described() {
    return columns().stream().map(column -> column.described(VirtualSchema.NAME, name())).toList();
  }
}
