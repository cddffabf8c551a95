package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;

/** Plans for databases without table rules: nothing is parsed, the statement goes on as it is. */
final class PassThroughPlanner implements KindPlanner {

  @Override
  public StatementPlan plan(PlanTask task) {
    var database = task.database();
    return new PassThroughPlan(
        task.scan().kind(),
        access(task.scan()),
        NameMapping.ofSchema(database.name()),
        new BoundPlan.AsIs(database.endpoints().getFirst()));
  }

  /** A replica may run what surely changes nothing, locks nothing and reads no session state. */
  private static Access access(Scan scan) {
    boolean query =
        switch (scan.kind()) {
          case SELECT, QUERY_EXPRESSION, SHOW, DESCRIBE -> true;
          default -> false;
        };
    return query && !scan.mayLock() && !scan.hasUserVariable() && !scan.hasExecutableComment()
        ? Access.READ
        : Access.WRITE;
  }
}
