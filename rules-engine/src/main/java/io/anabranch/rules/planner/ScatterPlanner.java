package io.anabranch.rules.planner;

import io.anabranch.rules.plan.NameMapping;

/** Decides how a query is answered over several nodes. */
final class ScatterPlanner {

  ScatterPlanner(Analysis analysis, Placement placement, ShardedNames names, NameMapping mapping) {}

  Scatter plan() {
    return Scatter.refused("this query", "restrict it to one shard by its key");
  }

  int[] guardedSlots() {
    return new int[0];
  }
}
