package io.anabranch.rules.rewrite;

import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SlotValues;

/**
 * The plan of a statement in which views, or common tables of one that writes, have been replaced
 * by their queries.
 *
 * @param slots of the longer text
 */
public record ExpandedPlan(StatementPlan plan, OuterSlots slots) implements WrappedPlan {

  @Override
  public int[] guardedSlots() {
    return slots.outer(plan.guardedSlots());
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return plan.bind(slots.values(values));
  }
}
