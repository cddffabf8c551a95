package io.anabranch.rules.resolve;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.table.PlacedTable;
import org.jspecify.annotations.Nullable;

/** What forbids to answer a query over several nodes, whatever its values are. */
public final class ScatterChecks {

  private static final String RESTRICT =
      "restrict it to one shard by conditions on the sharding columns";

  private ScatterChecks() {}

  /** Null: nothing does. */
  public static @Nullable Refusal check(
      Analysis analysis, Placement placement, @Nullable SelectFacts select) {
    var facts = analysis.facts();
    if (select == null) {
      return new Refusal("a set operation, WITH, INTO or parenthesised query", RESTRICT);
    }
    if (facts.windows()) {
      return new Refusal("a window function", RESTRICT);
    }
    if (select.rollup()) {
      return new Refusal("GROUP BY … WITH ROLLUP", RESTRICT);
    }
    if (select.calculatesFoundRows()) {
      return new Refusal("SQL_CALC_FOUND_ROWS", "ask for COUNT(*) in a statement of its own");
    }
    for (PlacedTable table : analysis.tables()) {
      if (!isBesideOthers(table, analysis, placement)) {
        return new Refusal("a subquery over sharded or single tables", RESTRICT);
      }
      if (table instanceof PlacedTable.Catalogue) {
        return new Refusal("a join with a system table", RESTRICT);
      }
    }
    if (OuterAggregates.areIn(analysis)) {
      return new Refusal("an aggregate of a subquery over columns from outside", RESTRICT);
    }
    if (multipliesRows(analysis)) {
      return new Refusal(
          "an outer join that keeps the rows of a table which every shard has", RESTRICT);
    }
    String function = SessionWords.differentEverywhere(analysis.source().tokens());
    if (!function.isEmpty()) {
      return new Refusal(function, RESTRICT);
    }
    String aggregate = StoredAggregates.first(analysis);
    if (!aggregate.isEmpty()) {
      return new Refusal("the stored aggregate function '" + aggregate + "'", RESTRICT);
    }
    for (SelectItem item : select.items()) {
      if (item instanceof SelectItem.Expression expression && expression.aggregates()) {
        return new Refusal(
            "an expression over aggregates, or an aggregate that cannot be put together",
            "select the plain aggregates and compute with them in the application");
      }
    }
    return null;
  }

  /** Whether a leg finds the rows of the table that it needs in its own place. */
  public static boolean isBesideOthers(PlacedTable table, Analysis analysis, Placement placement) {
    return table.ref().block() == 0
        || table instanceof PlacedTable.Broadcast
        || (table instanceof PlacedTable.Sharded sharded
            && placement.isCorrelated(analysis.sharded().indexOf(sharded)));
  }

  /** Rows of a table that every leg has would come once per leg where they find no partner. */
  private static boolean multipliesRows(Analysis analysis) {
    QueryBlock block = analysis.facts().blocks().getFirst();
    var tables = analysis.tablesOf(0);
    for (var join : block.outerJoins()) {
      boolean preservedIsSharded =
          join.preserved().stream()
              .anyMatch(table -> tables.get(table) instanceof PlacedTable.Sharded);
      boolean nullableIsSharded =
          join.nullable().stream()
              .anyMatch(table -> tables.get(table) instanceof PlacedTable.Sharded);
      if ((!preservedIsSharded && nullableIsSharded) || block.hasDerivedTables()) {
        return true;
      }
    }
    return false;
  }
}
