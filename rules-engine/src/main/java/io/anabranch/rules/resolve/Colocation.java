package io.anabranch.rules.resolve;

import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.routing.NodeLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Tells whether rows of two sharded tables that meet in a join are in the same place. */
public final class Colocation {

  private Colocation() {}

  /** Tells whether rows of two tables meet only where a column of each is equal. */
  @FunctionalInterface
  public interface Tie {

    /**
     * @param left lower-case column of the one table
     * @param right of the other
     */
    boolean holds(String left, String right);
  }

  public static boolean isProven(ShardedTable leftTable, ShardedTable rightTable, Tie tie) {
    boolean bound = leftTable.equals(rightTable) || leftTable.isBoundTo(rightTable);
    // what costs most is looked at last: this is asked of each two tables of a statement
    return bound
        && tied(leftTable.databaseStrategy(), rightTable.databaseStrategy(), tie)
        && tied(leftTable.tableStrategy(), rightTable.tableStrategy(), tie)
        && sameShape(leftTable, rightTable)
        && isPlacedByKeys(leftTable)
        && isPlacedByKeys(rightTable);
  }

  private static boolean sameShape(ShardedTable left, ShardedTable right) {
    if (left.nodes().size() != right.nodes().size()) {
      return false;
    }
    for (int i = 0; i < left.nodes().size(); i++) {
      if (!left.nodes().get(i).dataSource().equals(right.nodes().get(i).dataSource())) {
        return false;
      }
    }
    return true;
  }

  /** Whether equal keys mean one node: no level is left to chance. */
  private static boolean isPlacedByKeys(ShardedTable table) {
    var layout = new NodeLayout(table);
    var names = new HashSet<String>();
    boolean distinctNames = true;
    boolean oneTableEach = true;
    for (int source = 0; source < layout.dataSources().size(); source++) {
      oneTableEach &= layout.tables(source).size() == 1;
      for (String name : layout.tables(source).names()) {
        distinctNames &= names.add(name);
      }
    }
    boolean bySource = byColumns(table.databaseStrategy());
    boolean byTable = byColumns(table.tableStrategy());
    boolean sourceKnown =
        bySource || layout.dataSources().size() == 1 || (byTable && distinctNames);
    return sourceKnown && (byTable || oneTableEach);
  }

  private static boolean byColumns(ShardingStrategy strategy) {
    return strategy instanceof ShardingStrategy.Standard
        || strategy instanceof ShardingStrategy.Complex;
  }

  private static boolean tied(ShardingStrategy left, ShardingStrategy right, Tie tie) {
    if (left instanceof ShardingStrategy.Standard leftColumn
        && right instanceof ShardingStrategy.Standard rightColumn) {
      return tied(List.of(leftColumn.column()), List.of(rightColumn.column()), tie);
    }
    if (left instanceof ShardingStrategy.Complex leftColumns
        && right instanceof ShardingStrategy.Complex rightColumns) {
      return tied(leftColumns.columns(), rightColumns.columns(), tie);
    }
    return left instanceof ShardingStrategy.None && right instanceof ShardingStrategy.None;
  }

  /** Columns of bound tables correspond by their position in the strategy. */
  private static boolean tied(List<String> left, List<String> right, Tie tie) {
    boolean tied = left.size() == right.size();
    for (int i = 0; i < left.size() && tied; i++) {
      tied = tie.holds(left.get(i).toLowerCase(Locale.ROOT), right.get(i).toLowerCase(Locale.ROOT));
    }
    return tied;
  }
}
