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
 * WHERE restricts: in {@code a LEFT JOIN b ON a.id = b.id} from a to b, not back. For one thread.
 */
public final class Equalities {

  /** Sharding columns of a table are hardly ever more. */
  private static final int MOST_REMEMBERED = 8;

  /** Where conditions come from, by the column that they are carried to. */
  private final Map<ColumnKey, List<ColumnKey>> edges = new HashMap<>();

  /** The same the other way round: by the column that conditions come from. */
  private final Map<ColumnKey, List<ColumnKey>> back = new HashMap<>();

  /**
   * By columns that were asked for last, what is tied to them: joins ask for one again and again.
   */
  private final Map<ColumnKey, Set<ColumnKey>> ties = new HashMap<>();

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
      back.computeIfAbsent(from, any -> new ArrayList<>()).add(to);
    }
  }

  /** Columns whose conditions hold for {@code key} too, itself among them. */
  public Set<ColumnKey> sources(ColumnKey key) {
    return reached(key, edges);
  }

  private static Set<ColumnKey> reached(ColumnKey key, Map<ColumnKey, List<ColumnKey>> edges) {
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

  /**
   * Whether rows of the two tables meet only where these columns are equal. Costs little for
   * whoever asks for all that {@code key} is tied to, one after the other.
   */
  public boolean tied(ColumnKey other, ColumnKey key) {
    Set<ColumnKey> tied = ties.get(key);
    if (tied == null) {
      if (ties.size() == MOST_REMEMBERED) {
        ties.clear();
      }
      tied = sources(key);
      tied.addAll(reached(key, back));
      ties.put(key, tied);
    }
    return tied.contains(other);
  }
}
