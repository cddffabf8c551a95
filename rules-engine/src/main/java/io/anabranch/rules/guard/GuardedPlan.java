package io.anabranch.rules.guard;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.DefinitionReview;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanRules;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import org.jspecify.annotations.Nullable;

/** A plan, and the rules that its statements may meet. */
public record GuardedPlan(StatementPlan plan, PlanRules rules) implements StatementPlan {

  /** The plan itself where there are none. */
  public static StatementPlan of(StatementPlan plan, PlanTask task) {
    var wanted = task.rules().protection().rules();
    if (wanted.isEmpty()) {
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
    return rules.rules().isEmpty() ? plan : new GuardedPlan(plan, rules);
  }

  @Override
  public StatementKind kind() {
    return plan.kind();
  }

  @Override
  public Access access() {
    return plan.access();
  }

  @Override
  public NameMapping names() {
    return plan.names();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return plan.bind(values);
  }

  @Override
  public int[] guardedSlots() {
    return plan.guardedSlots();
  }

  @Override
  public boolean isLasting() {
    return plan.isLasting();
  }

  @Override
  public @Nullable DefinitionReview review() {
    return plan.review();
  }
}
