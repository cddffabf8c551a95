package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;

/**
 * One statement to plan and all that its plan may depend on.
 *
 * @param scan valid until the plan is made
 * @param catalog of the scope's database
 * @param properties limits of the merge lane
 */
public record PlanTask(
    Scan scan, PlanScope scope, SchemaCatalog catalog, ProxyProperties properties) {

  public LogicalDatabase database() {
    return scope.database();
  }
}
