package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.planner.strategy.Scatter;
import java.util.ArrayList;
import java.util.List;

/** Rows of several nodes without groups: as they come, sorted, or each once. Used once. */
final class PlainScatter {

  private final ScatterDraft draft;
  private final SortKeys sortKeys;

  PlainScatter(ScatterDraft draft) {
    this.draft = draft;
    this.sortKeys = new SortKeys(draft);
  }

  Scatter plan() {
    List<KeyDraft> order =
        sortKeys.orderBy(
            (item, span) -> {
              throw new IllegalStateException("an aggregate makes groups");
            });
    return draft.select().distinct() ? distinct(order) : rows(order);
  }

  private Scatter rows(List<KeyDraft> order) {
    List<SortKey> keys = sortKeys.weighted(order, column -> false, List.of());
    boolean ordered = !keys.isEmpty();
    var leg = draft.sql(keys, List.of());
    var columns = draft.columns(leg);
    var sql = draft.settled(leg, columns);
    boolean alike = !sql.unites();
    var limit = new LimitRule(draft.select().limit());
    int width = draft.leg().visible();
    boolean trims = draft.leg().size() > width;
    return (legs, bound) -> {
      PlanNode route =
          new PlanNode.Route(sql.queries(legs, limit.needed(bound), bound), columns, alike);
      PlanNode rows = ordered ? new PlanNode.OrderedMerge(route, keys) : new PlanNode.Concat(route);
      return ScatterDraft.trimmed(ScatterDraft.limited(rows, limit, bound), trims, width);
    };
  }

  /** Sorted by the wanted order, then by all other columns: equal rows become neighbours. */
  private Scatter distinct(List<KeyDraft> order) {
    int width = draft.leg().visible();
    List<KeyDraft> keys = new ArrayList<>(order);
    for (KeyDraft key : keys) {
      if (key.column() >= width) {
        throw new NotMergeableException(
            "SELECT DISTINCT ordered by what is not selected", "select the column too");
      }
    }
    for (int column = 0; column < width; column++) {
      int position = column;
      if (keys.stream().noneMatch(key -> key.column() == position)) {
        keys.add(new KeyDraft(column, draft.output().expressionOf(column), false));
      }
    }
    List<SortKey> sorted = sortKeys.weighted(keys, column -> false, List.of());
    var leg = draft.sql(sorted, List.of());
    var columns = draft.columns(leg);
    var sql = draft.settled(leg, columns);
    boolean alike = !sql.unites();
    var limit = new LimitRule(draft.select().limit());
    boolean trims = draft.leg().size() > width;
    return (legs, bound) -> {
      PlanNode route = new PlanNode.Route(sql.queries(legs, -1, bound), columns, alike);
      PlanNode rows = new PlanNode.Distinct(new PlanNode.OrderedMerge(route, sorted), sorted);
      return ScatterDraft.trimmed(ScatterDraft.limited(rows, limit, bound), trims, width);
    };
  }
}
