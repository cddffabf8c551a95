package io.anabranch.rules.planner;

import io.anabranch.rules.plan.NameMapping;

/** What several nodes answer by a query other than the client's own. */
interface Detour extends Scatter {

  /** Names of the tables that the other query reads. */
  NameMapping names();

  /** Slots of the client's statement whose literals the other query depends on. */
  int[] guardedSlots();
}
