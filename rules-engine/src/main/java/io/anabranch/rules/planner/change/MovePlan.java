package io.anabranch.rules.planner.change;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.plan.Passing;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.query.RowSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE that sets sharding columns.
 *
 * @param values the query that gives the new values
 * @param isSame whether the new values are the same for all rows
 * @param check refuses values that are stored as others
 * @param selection by node: the rows that have new values
 * @param deletion by node: those of them that leave it
 * @param leaving why none of them may; null: they may
 * @param insertion by node: those that come to it
 * @param passing what tells rows that would collide in passing
 */
record MovePlan(
    RowSource values,
    boolean isSame,
    RowPlacer check,
    RowTarget selection,
    RowTarget deletion,
    @Nullable Refusal leaving,
    RowTarget insertion,
    Passing passing) {

  /**
   * @param nodes where the rows are that may change
   * @param updates the UPDATE of each of these nodes
   */
  PlanNode root(List<Integer> nodes, List<ShardQuery> updates, SlotValues bound) {
    return new PlanNode.Move(
        values.rows(bound),
        isSame,
        check,
        new PlanNode.Write(updates, PlanNode.Summing.SUM, true),
        nodes,
        selection,
        deletion,
        leaving,
        insertion,
        passing);
  }
}
