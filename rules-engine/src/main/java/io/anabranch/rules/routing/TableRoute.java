package io.anabranch.rules.routing;

import io.anabranch.rules.plan.slot.SlotValues;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes of one sharded table that one mention of it in a statement touches. Immutable. */
public final class TableRoute {

  /** The answer of {@link #only}: no row can match. */
  public static final int NOWHERE = PointRoute.NOWHERE;

  /** The answer of {@link #only}: ask {@link #nodes}. */
  public static final int UNSURE = PointRoute.UNSURE;

  private final NodeLayout layout;
  private final @Nullable PointRoute point;
  private final @Nullable Filter filter;
  private final List<KeyList> keyLists;

  TableRoute(
      NodeLayout layout,
      @Nullable PointRoute point,
      @Nullable Filter filter,
      List<KeyList> keyLists) {
    this.layout = layout;
    this.point = point;
    this.filter = filter;
    this.keyLists = List.copyOf(keyLists);
  }

  /** Lists of keys that each node needs a part of only. */
  public List<KeyList> keyLists() {
    return keyLists;
  }

  public NodeLayout layout() {
    return layout;
  }

  /** Whether some condition may narrow it. */
  public boolean isRestricted() {
    return filter != null;
  }

  /** Node where the conditions give one key per level; allocates nothing. */
  public int only(SlotValues values) {
    if (point != null) {
      return point.node(values);
    }
    return layout.size() == 1 ? 0 : UNSURE;
  }

  /** All nodes that rows may come from; the caller's own set. */
  public BitSet nodes(SlotValues values) {
    int only = only(values);
    if (only != UNSURE) {
      var one = new BitSet();
      if (only >= 0) {
        one.set(only);
      }
      return one;
    }
    BitSet nodes = filter == null ? null : filter.nodes(values);
    return nodes == null ? layout.all() : nodes;
  }
}
