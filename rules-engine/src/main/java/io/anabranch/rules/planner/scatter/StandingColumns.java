package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Generated columns with a key, which servers read in place of the expression that they are
 * computed by: their collation then decides, and no description tells it. {@code ORDER BY
 * doc->>'$.name'} is by {@code utf8mb4_bin}, but by the column's collation where there is a key of
 * {@code name VARCHAR(40) AS (doc->>'$.name')}.
 */
final class StandingColumns {

  private final Analysis analysis;

  StandingColumns(Analysis analysis) {
    this.analysis = analysis;
  }

  /**
   * @param expression that is no plain column, and that orders or groups
   * @throws io.anabranch.rules.error.RefusedException a column may stand for it that compares
   *     otherwise
   */
  void refuse(String expression) {
    String upper = expression.toUpperCase(Locale.ROOT);
    boolean isOfJson = upper.contains("->") || upper.contains("JSON_");
    if (!isOfJson || upper.contains("COLLATE")) {
      return;
    }
    for (PlacedTable.Sharded table : analysis.sharded()) {
      Optional<String> standing = standing(table);
      if (standing.isPresent()) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "ordering or grouping by '"
                + expression.strip()
                + "', for which a server may read the generated column '"
                + standing.get()
                + "'",
            "name that column, or give the expression a COLLATE");
      }
    }
  }

  private Optional<String> standing(PlacedTable.Sharded table) {
    PlanTask task = analysis.task();
    List<Column> generated =
        Analysis.schema(task, table).stream()
            .flatMap(found -> found.columns().stream())
            .filter(Column::generated)
            .filter(column -> column.collation() != null && !column.collation().endsWith("_bin"))
            .toList();
    if (generated.isEmpty() || table.view() != null) {
      return Optional.empty();
    }
    List<TableKey> keys = task.keys(table.table().nodes());
    return generated.stream()
        .map(Column::name)
        .filter(name -> keys.stream().anyMatch(key -> isPart(name, key)))
        .findFirst();
  }

  private static boolean isPart(String column, TableKey key) {
    return key.parts().stream().anyMatch(part -> column.equalsIgnoreCase(part.column()));
  }
}
