package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;

/**
 * One algorithm of a table, and what a statement says of the column. Immutable, thread-safe.
 *
 * @param values of each mention
 */
record ShadowMatch(String table, ShadowAlgorithm.Column algorithm, List<ColumnValues> values) {

  /**
   * Whether some mention gives values that match, all of them.
   *
   * @throws io.anabranch.rules.error.RefusedException if an INSERT has rows for both
   */
  boolean matches(SlotValues bound) {
    for (ColumnValues mention : values) {
      ColumnValues.Answer answer = mention.matching(bound, algorithm::matches);
      if (answer == ColumnValues.Answer.ALL) {
        return true;
      }
      if (answer == ColumnValues.Answer.SOME && algorithm.operation() == Operation.INSERT) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "rows for production and for the shadow of table '" + table + "' in one INSERT",
            "send them apart");
      }
    }
    return false;
  }
}
