package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.StatementPlan;
import java.util.ArrayList;
import java.util.List;

/** An UPDATE or DELETE of a broadcast table: the same on every data source. */
record BroadcastWritePlan(
    StatementKind kind, NameMapping names, SingleTemplate single, List<String> endpoints)
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
  public BoundPlan bind(SlotValues values) {
    var queries = new ArrayList<ShardQuery>();
    for (String endpoint : endpoints) {
      queries.add(single.query(endpoint, NO_NODES, values));
    }
    return new BoundPlan.Merged(new PlanNode.Write(queries, PlanNode.Summing.FIRST, true));
  }
}
