package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The views among the tables that a query reads, by the texts of their queries. */
public record ReadViews(Analysis analysis) {

  private static final Pattern QUOTIENT = Pattern.compile("/|avg\\(");

  private static final Pattern OTHER_DIGITS =
      Pattern.compile(
          "/|avg\\(|\\b(case|coalesce|greatest|if|ifnull|least|nvl2?|round|truncate"
              + "|time_to_sec|unix_timestamp)\\b");

  /** Whether there is one. */
  public boolean arePresent() {
    return analysis.tables().stream().anyMatch(table -> view(table) != null);
  }

  /**
   * Whether one of them may have quotients.
   *
   * @param padded as {@code Quotients.padded}
   */
  public boolean divide(boolean padded) {
    Pattern pattern = padded ? OTHER_DIGITS : QUOTIENT;
    for (PlacedTable table : analysis.tables()) {
      String view = view(table);
      if (view != null && (view.isEmpty() || pattern.matcher(view).find())) {
        return true;
      }
    }
    return false;
  }

  /** Their lower-case queries, empty where one is not shown. */
  List<String> queries() {
    var queries = new ArrayList<String>();
    for (PlacedTable table : analysis.tables()) {
      String view = view(table);
      if (view != null) {
        queries.add(view);
      }
    }
    return queries;
  }

  /** Whether that table is among those that are read, by views or beside them. */
  public boolean read(String name) {
    for (PlacedTable table : analysis.tables()) {
      String view = view(table);
      boolean within = view != null && view.contains(name.toLowerCase(Locale.ROOT));
      if (within || table.ref().name().equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  /** The lower-case query of a view, empty if it is not shown; null: this is a table. */
  private @Nullable String view(PlacedTable table) {
    String view =
        switch (table) {
          case PlacedTable.View placed -> placed.query();
          case PlacedTable.Sharded sharded ->
              sharded.view() == null ? null : sharded.view().schema().view();
          case PlacedTable.Single _, PlacedTable.Broadcast _, PlacedTable.Catalogue _ ->
              Analysis.schema(analysis.task(), table).map(TableSchema::view).orElse(null);
        };
    return view == null ? null : view.toLowerCase(Locale.ROOT);
  }
}
