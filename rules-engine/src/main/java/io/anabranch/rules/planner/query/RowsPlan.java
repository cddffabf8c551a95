package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A statement that is a use of one query's rows.
 *
 * @param root what is made of the node that yields them
 */
record RowsPlan(StatementKind kind, Access access, RowSource rows, UnaryOperator<PlanNode> root)
    implements StatementPlan {

  @Override
  public NameMapping names() {
    return rows.plan().names();
  }

  @Override
  public int[] guardedSlots() {
    return rows.guardedSlots();
  }

  @Override
  public boolean isLasting() {
    return rows.isLasting();
  }

  @Override
  public List<PassedOver> passedOver() {
    return rows.plan().passedOver();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return new BoundPlan.Merged(root.apply(rows.rows(values)));
  }
}
