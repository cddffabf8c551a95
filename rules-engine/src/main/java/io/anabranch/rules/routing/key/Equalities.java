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

  /** By columns that were asked for last: joins ask for one again and again. */
  private final Map<ColumnKey, Ends> remembered = new HashMap<>();

  /**
   * @param sources where a column's conditions come from
   * @param followers what its own are carried to
   */
  private record Ends(Set<ColumnKey> sources, Set<ColumnKey> followers) {}

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
   * Whether rows of either table matter only where these columns are equal. Costs little for
   * whoever asks for all that {@code key} is tied to, one after the other.
   */
  public boolean tied(ColumnKey other, ColumnKey key) {
    Ends ends = ends(key);
    return ends.sources.contains(other) && ends.followers.contains(other);
  }

  /** Whether rows of the table of {@code key} matter only where it equals {@code other}. */
  public boolean follows(ColumnKey key, ColumnKey other) {
    return ends(key).sources.contains(other);
  }

  private Ends ends(ColumnKey key) {
    Ends ends = remembered.get(key);
    if (ends == null) {
      if (remembered.size() == MOST_REMEMBERED) {
        remembered.clear();
      }
      ends = new Ends(sources(key), reached(key, back));
      remembered.put(key, ends);
    }
    return ends;
  }
}
