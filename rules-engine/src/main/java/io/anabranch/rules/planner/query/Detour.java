package io.anabranch.rules.planner.query;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.planner.scatter.Scatter;

/** What several nodes answer by a query other than the client's own. */
interface Detour extends Scatter {

  /** The other query. */
  RowSource rows();

  /** Names of the tables that the other query reads. */
  default NameMapping names() {
    return rows().plan().names();
  }

  /** Slots of the client's statement whose literals the other query depends on. */
  default int[] guardedSlots() {
    return rows().guardedSlots();
  }
}
