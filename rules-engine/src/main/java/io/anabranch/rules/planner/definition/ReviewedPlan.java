package io.anabranch.rules.planner.definition;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.DefinitionReview;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;

/** A definition whose effect is looked at afterwards. */
record ReviewedPlan(StatementPlan plan, DefinitionReview review) implements StatementPlan {

  @Override
  public StatementKind kind() {
    return plan.kind();
  }

  @Override
  public Access access() {
    return plan.access();
  }

  @Override
  public NameMapping names() {
    return plan.names();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return plan.bind(values);
  }

  @Override
  public int[] guardedSlots() {
    return plan.guardedSlots();
  }

  @Override
  public boolean isLasting() {
    return plan.isLasting();
  }
}
