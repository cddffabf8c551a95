package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.task.KindPlanner;
import java.util.List;

/** A query within a statement that changes tables: the rows that it gives are written. */
public record RowSource(Substatement query, StatementPlan plan) {

  public static RowSource of(Substatement query, KindPlanner statements) {
    return new RowSource(query, statements.plan(query.task()));
  }

  /** The node that yields the rows of one execution; columns are as the databases answer. */
  public PlanNode rows(SlotValues statement) {
    return switch (plan.bind(query.values(statement))) {
      case BoundPlan.Single single -> new PlanNode.Route(List.of(single.query()), List.of());
      case BoundPlan.Merged merged when merged.root() instanceof PlanNode.Counted ->
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "SQL_CALC_FOUND_ROWS in this place", "ask for COUNT(*) in a statement of its own");
      case BoundPlan.Merged merged -> merged.root();
      case BoundPlan.AsIs ignored ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "this query within a statement that writes", "read the rows first");
    };
  }

  /** Whether it may be kept: not where a data source was away, or servers tell of themselves. */
  public boolean isLasting() {
    return plan.isLasting();
  }

  public int[] guardedSlots() {
    return query.outer(plan.guardedSlots());
  }
}
