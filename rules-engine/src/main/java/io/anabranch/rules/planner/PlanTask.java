package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;

/**
 * One statement to plan and all that its plan may depend on.
 *
 * @param scan valid until the plan is made
 * @param catalog of the scope's database
 * @param rules limits of the merge lane, names of the other databases
 */
public record PlanTask(Scan scan, PlanScope scope, SchemaCatalog catalog, RuleSet rules) {

  public LogicalDatabase database() {
    return scope.database();
  }
}
