package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.table.PlacedTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table reference that gets a copy of its own.
 *
 * @param name of the copy
 * @param ref where the statement names it; its name is a token always
 * @param table where its rows are
 * @param schema all columns of the table
 * @param select position of its SELECT among {@link SelectSpans}
 * @param outerJoins of its SELECT that may leave it without a row
 */
record StagedReference(
    String name, TableRef ref, PlacedTable table, TableSchema schema, int select, int outerJoins) {

  boolean isNamed(String qualifier) {
    return ref.alias().equalsIgnoreCase(qualifier);
  }

  boolean hasColumn(String column) {
    return table.columns().containsKey(column.toLowerCase(Locale.ROOT));
  }

  /** Null if there is none of that name. */
  @Nullable Column column(String column) {
    for (Column each : columns()) {
      if (each.name().equalsIgnoreCase(column)) {
        return each;
      }
    }
    return null;
  }

  List<Column> columns() {
    return schema.columns();
  }
}
