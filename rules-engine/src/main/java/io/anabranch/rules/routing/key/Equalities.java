package io.anabranch.rules.routing.key;

import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.sql.QueryBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code a.x = b.y} in a query block lets routing conclude.
 *
 * <p>An equality carries conditions from one side to the other only towards tables that its ON or
 * WHERE restricts: in {@code a LEFT JOIN b ON a.id = b.id} from a to b, not back.
 */
public final class Equalities {

  /** Where conditions come from, by the column that they are carried to. */
  private final Map<ColumnKey, List<ColumnKey>> edges = new HashMap<>();

  public Equalities(QueryBlock block, BlockColumns columns) {
    for (var restriction : block.restrictions()) {
      restriction.condition().equalities(equal -> collect(equal, restriction.tables(), columns));
    }
  }

  private void collect(Condition.Equal equal, BitSet restricted, BlockColumns columns) {
    ColumnKey left = columns.resolve(equal.left());
    ColumnKey right = columns.resolve(equal.right());
    if (left != null
        && right != null
        && KeyType.joinable(columns.type(left), columns.type(right))) {
      add(left, right, restricted);
      add(right, left, restricted);
    }
  }

  private void add(ColumnKey from, ColumnKey to, BitSet restricted) {
    if (restricted.get(to.table())) {
      edges.computeIfAbsent(to, any -> new ArrayList<>()).add(from);
    }
  }

  /** Columns whose conditions hold for {@code key} too, itself among them. */
  public Set<ColumnKey> sources(ColumnKey key) {
    Set<ColumnKey> reached = new HashSet<>(Set.of(key));
    var open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      ColumnKey next = open.remove();
      for (ColumnKey from : edges.getOrDefault(next, List.of())) {
        if (reached.add(from)) {
          open.add(from);
        }
      }
    }
    return reached;
  }

  /** Whether rows of the two tables meet only where these columns are equal. */
  public boolean tied(ColumnKey left, ColumnKey right) {
    return sources(left).contains(right) || sources(right).contains(left);
  }
}
