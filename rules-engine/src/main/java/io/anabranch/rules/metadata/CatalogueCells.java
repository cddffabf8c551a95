package io.anabranch.rules.metadata;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.value.SqlLiterals;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Cells that one server told, written for another so that their types stay what they are. */
final class CatalogueCells {

  /** Protocol flag. */
  static final int UNSIGNED = 0x20;

  private CatalogueCells() {}

  /** A row as the items of a SELECT; texts are of the session's own collation where they can be. */
  static String of(List<@Nullable String> row, List<ResultColumn> columns) {
    var items = new StringJoiner(", ");
    for (int i = 0; i < row.size(); i++) {
      String cell = row.get(i);
      items.add(cell == null ? absent(columns.get(i)) : literal(cell, columns.get(i)));
    }
    return items.toString();
  }

  /** MariaDB makes a DECIMAL of an unsigned number and a NULL without type. */
  private static String absent(ResultColumn column) {
    boolean isNumber =
        switch (column.type()) {
          case 1, 2, 3, 8, 9 -> true;
          default -> false;
        };
    return isNumber && (column.flags() & UNSIGNED) != 0 ? "CAST(NULL AS UNSIGNED)" : "NULL";
  }

  private static String literal(String cell, ResultColumn column) {
    return switch (column.type()) {
      case 1, 2, 3, 8, 9, 13 ->
          (column.flags() & UNSIGNED) == 0 ? cell : "CAST(" + cell + " AS UNSIGNED)";
      case 0, 4, 5, 246 -> cell;
      case 7, 12 -> "CAST(" + SqlLiterals.text(cell) + " AS DATETIME)";
      default -> SqlLiterals.text(cell);
    };
  }
}
