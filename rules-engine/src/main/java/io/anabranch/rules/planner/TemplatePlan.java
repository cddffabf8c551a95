package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.sql.SqlTemplate;
import java.util.List;

/**
 * A write whose targets do not depend on its values: one of a single table, or the same on every
 * endpoint.
 *
 * @param targets never empty; one of them takes the relay lane
 * @param summing how several answers become one
 */
record TemplatePlan(
    StatementKind kind,
    NameMapping names,
    List<SqlTemplate.Aimed> targets,
    PlanNode.Summing summing,
    boolean atomic)
    implements StatementPlan {

  TemplatePlan {
    targets = List.copyOf(targets);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    if (targets.size() == 1) {
      return new BoundPlan.Single(targets.getFirst().render(values));
    }
    var queries = targets.stream().map(target -> target.render(values)).toList();
    return new BoundPlan.Merged(new PlanNode.Write(queries, summing, atomic));
  }
}
