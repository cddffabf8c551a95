package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A statement whose values decide whether it goes to production or to the shadow.
 *
 * @param plan in production
 * @param shadow the plan in the shadow; throws why there is none
 * @param isLasting whether there is one
 * @param matches one of them has to match
 */
record ShadowPlan(
    StatementPlan plan,
    Supplier<StatementPlan> shadow,
    boolean isLasting,
    List<ShadowMatch> matches)
    implements WrappedPlan {

  ShadowPlan {
    matches = List.copyOf(matches);
  }

  /** Both. */
  static ShadowPlan of(StatementPlan plan, StatementPlan shadow, List<ShadowMatch> matches) {
    return new ShadowPlan(plan, () -> shadow, plan.isLasting() && shadow.isLasting(), matches);
  }

  /** Production goes on where the shadow does not. */
  static ShadowPlan without(
      StatementPlan plan, RuntimeException refusal, List<ShadowMatch> matches) {
    return new ShadowPlan(
        plan,
        () -> {
          throw refusal;
        },
        false,
        matches);
  }

  private StatementPlan chosen(SlotValues values) {
    boolean isShadow =
        values.isBound() && matches.stream().anyMatch(match -> match.matches(values));
    return isShadow ? shadow.get() : plan;
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return chosen(values).bind(values);
  }

  @Override
  public List<SentValue> sent(SlotValues values) {
    return chosen(values).sent(values);
  }

  @Override
  public int[] guardedSlots() {
    if (!isLasting) {
      return plan.guardedSlots();
    }
    return IntStream.concat(
            Arrays.stream(plan.guardedSlots()), Arrays.stream(shadow.get().guardedSlots()))
        .distinct()
        .sorted()
        .toArray();
  }
}
