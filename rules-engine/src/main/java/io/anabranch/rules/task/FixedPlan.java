package io.anabranch.rules.task;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;

/**
 * A plan that does not look at values: its text was copied from the client's with all literals.
 *
 * @param guardedSlots all slots whose literals are in the text
 */
public record FixedPlan(
    StatementKind kind, Access access, NameMapping names, BoundPlan bound, int[] guardedSlots)
    implements StatementPlan {

  /** A plan for exactly the literals of {@code task}. */
  public static FixedPlan of(PlanTask task, Access access, NameMapping names, BoundPlan bound) {
    int[] all = new int[task.scan().slotCount()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return new FixedPlan(task.scan().kind(), access, names, bound, all);
  }

  /** A write that shows no column definitions. */
  public static FixedPlan write(PlanTask task, BoundPlan bound) {
    return of(task, Access.WRITE, NameMapping.ofSchema(task.database().name()), bound);
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return bound;
  }
}
