package io.anabranch.rules.task;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.plan.StatementPlan;

/**
 * Plans the statements of some {@link io.anabranch.rules.lexer.StatementKind}s in databases that
 * have table rules. Stateless and thread-safe; blocks on {@link SchemaCatalog}, so it is called on
 * virtual threads only.
 */
public interface KindPlanner {

  /**
   * @throws io.anabranch.rules.error.RefusedException with the reason if it cannot be planned
   * @throws SchemaCatalog.DescribeException with the database's own error
   */
  StatementPlan plan(PlanTask task);
}
