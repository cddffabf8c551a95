package io.anabranch.rules.guard;

import io.anabranch.rules.plan.PlanRules;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;

/** A plan, and the rules that its statements may meet. */
public record GuardedPlan(StatementPlan plan, PlanRules rules) implements WrappedPlan {

  /** The plan itself where there are none. */
  public static StatementPlan of(StatementPlan plan, PlanTask task) {
    var wanted = task.rules().protection().rules();
    boolean keepsAnswers = task.rules().protection().keepsAnswers();
    if (wanted.isEmpty() && !keepsAnswers) {
      return plan;
    }
    var scope = task.scope();
    PlanRules rules =
        new RuleMatching(
                task.database(),
                task.scan().kind(),
                task.source().tokens(),
                task.scan().copyNormalForm(),
                scope.charset(),
                scope.ansiQuotes(),
                StatementHints.of(task.scan(), scope.charset()))
            .of(wanted);
    if (keepsAnswers) {
      return new GuardedPlan(plan, rules.with(StatementKeeping.of(task)));
    }
    return rules.rules().isEmpty() ? plan : new GuardedPlan(plan, rules);
  }
}
