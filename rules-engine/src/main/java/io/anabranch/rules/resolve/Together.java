package io.anabranch.rules.resolve;

import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A data source that has a node of each table of a statement.
 *
 * @param nodes one of each sharded table
 */
public record Together(String dataSource, int[] nodes) {

  public static Optional<Together> of(Analysis analysis, Placement placement) {
    PlanTask task = analysis.task();
    Set<String> candidates = new HashSet<>(task.database().endpoints());
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.Single one) {
        candidates.retainAll(Set.of(one.dataSource()));
      }
    }
    for (int table = 0; table < analysis.sharded().size(); table++) {
      candidates.retainAll(placement.layout(table).dataSources().names());
    }
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    String dataSource = task.nearest(List.copyOf(new TreeSet<>(candidates)));
    int[] nodes = new int[analysis.sharded().size()];
    for (int table = 0; table < nodes.length; table++) {
      var layout = placement.layout(table);
      var here = new BitSet();
      for (int node = 0; node < layout.size(); node++) {
        here.set(node, layout.node(node).dataSource().equals(dataSource));
      }
      nodes[table] = here.nextSetBit(0);
    }
    return Optional.of(new Together(dataSource, nodes));
  }
}
