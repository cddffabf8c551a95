package io.anabranch.rules.planner.strategy;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.BitSet;

/** How a query is answered over several nodes, decided when it is planned. */
public interface Scatter {

  /**
   * @param legs nodes of the first sharded table
   * @throws io.anabranch.rules.error.RefusedException if it cannot be answered exactly
   */
  PlanNode root(BitSet legs, SlotValues values);

  /** False: made while a data source could not be asked, or of what servers tell of themselves. */
  default boolean isLasting() {
    return true;
  }

  /** No strategy takes it. */
  record Refused(Refusal reason) implements Scatter {
    @Override
    public PlanNode root(BitSet legs, SlotValues values) {
      throw ErrorCatalogue.NOT_EXACT.refuse(reason.construct(), reason.wayOut());
    }
  }

  /** A data source could not be asked what the plan needs; those of one node need less. */
  record Unreachable(RefusedException refusal) implements Scatter {
    @Override
    public PlanNode root(BitSet legs, SlotValues values) {
      throw refusal;
    }

    @Override
    public boolean isLasting() {
      return false;
    }
  }
}
