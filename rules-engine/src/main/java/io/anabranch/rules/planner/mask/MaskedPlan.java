package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.answer.AnswerColumns;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.RequalifiedPlan;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.Map;

/**
 * A statement some of whose columns are masked: its rows go by way of the proxy.
 *
 * @param maskers by the names of result columns, in lower case; empty: it has no rows to mask
 * @param compared slots of what masked columns are compared with
 * @param columns what the databases answer where the query is the client's own; empty: the plan
 *     knows
 */
record MaskedPlan(
    StatementPlan plan, Map<String, Masker> maskers, int[] compared, List<ResultColumn> columns)
    implements WrappedPlan {

  /**
   * @param plain the statement's plan, as for those who see all
   */
  static StatementPlan of(
      PlanTask task, StatementPlan plain, Map<String, Masker> maskers, int[] compared) {
    StatementPlan rendered = plain;
    BoundPlan shape = plain.bind(task.written());
    if (shape instanceof BoundPlan.AsIs asIs) {
      var source = task.source();
      rendered =
          new RequalifiedPlan(
              plain.kind(),
              plain.access(),
              plain.names(),
              asIs.dataSource(),
              new SourceEdits(source).copy(0, source.bytes().length),
              plain.guardedSlots());
      shape = rendered.bind(task.written());
    }
    List<ResultColumn> columns = maskers.isEmpty() ? List.of() : told(task, rendered, shape);
    return new MaskedPlan(rendered, maskers, compared, columns);
  }

  /** The answer's columns, as clients know them. */
  private static List<ResultColumn> told(PlanTask task, StatementPlan plan, BoundPlan shape) {
    return switch (shape) {
      case BoundPlan.Single single -> plan.names().logical(task.catalog().describe(single.query()));
      case BoundPlan.Merged merged -> AnswerColumns.of(merged.root());
      case BoundPlan.AsIs _ -> List.of();
    };
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    for (int slot : compared) {
      requireText(values.value(slot), values.isBound());
    }
    BoundPlan bound = plan.bind(values);
    if (maskers.isEmpty()) {
      return bound;
    }
    PlanNode rows =
        switch (bound) {
          case BoundPlan.Single single ->
              PlanNode.Route.alone(single.query(), columns, plan.names());
          case BoundPlan.Merged merged -> merged.root();
          case BoundPlan.AsIs asIs ->
              throw ErrorCatalogue.MASKED.refuse(
                  "a statement sent as it is to " + asIs.dataSource());
        };
    return new BoundPlan.Merged(new PlanNode.Masked(rows, maskers));
  }

  /** Others make databases turn the column's text into a number or a moment, and warn of it. */
  private static void requireText(SqlValue value, boolean isBound) {
    boolean is =
        switch (value) {
          case SqlValue.Text _, SqlValue.Null _ -> true;
          case SqlValue.Unknown _ -> !isBound;
          default -> false;
        };
    if (!is) {
      throw ErrorCatalogue.MASKED.refuse("comparison with what is no text");
    }
  }
}
