package io.anabranch.rules.task;

import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;

/**
 * A plan that is right for one execution: what it depends on may be changed elsewhere, without this
 * proxy being told, as the query of a view that shows protected columns.
 */
public record MomentaryPlan(StatementPlan plan) implements WrappedPlan {

  @Override
  public boolean isLasting() {
    return false;
  }
}
