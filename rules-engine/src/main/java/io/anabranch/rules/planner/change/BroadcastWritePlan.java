package io.anabranch.rules.planner.change;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.task.ReturningClause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An UPDATE or DELETE of a broadcast table: the same on every data source. */
record BroadcastWritePlan(
    StatementKind kind,
    NameMapping names,
    SingleTemplate single,
    List<String> endpoints,
    @Nullable ReturningClause returning)
    implements StatementPlan {

  private static final int[] NO_NODES = {};

  BroadcastWritePlan {
    endpoints = List.copyOf(endpoints);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public int[] guardedSlots() {
    return returning == null ? NO_NODES : returning.guardedSlots();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    var queries = new ArrayList<ShardQuery>();
    for (String endpoint : endpoints) {
      queries.add(single.query(endpoint, NO_NODES, values));
    }
    var write = new PlanNode.Write(queries, PlanNode.Summing.FIRST, true);
    return new BoundPlan.Merged(returning == null ? write : returning.of(write));
  }
}
