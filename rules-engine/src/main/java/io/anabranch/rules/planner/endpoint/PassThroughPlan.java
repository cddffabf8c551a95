package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;

/**
 * The client's own packet goes to one endpoint.
 *
 * @param isLasting whether it does so whatever its values are
 */
public record PassThroughPlan(
    StatementKind kind, Access access, NameMapping names, BoundPlan.AsIs target, boolean isLasting)
    implements StatementPlan {

  @Override
  public BoundPlan bind(SlotValues values) {
    return target;
  }
}
