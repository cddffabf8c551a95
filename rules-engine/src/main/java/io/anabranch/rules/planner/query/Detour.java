package io.anabranch.rules.planner.query;

import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Scatter;

/** What several nodes answer by a query other than the client's own. */
interface Detour extends Scatter {

  /** The other query. */
  RowSource rows();

  /** Slots of the client's statement whose literals the other query depends on. */
  default int[] guardedSlots() {
    return rows().guardedSlots();
  }

  @Override
  default boolean isLasting() {
    return rows().isLasting();
  }

  /** As what a strategy makes of the client's query. */
  default Attempt taken() {
    return new Attempt.Taken(this, rows().plan().names(), guardedSlots());
  }
}
