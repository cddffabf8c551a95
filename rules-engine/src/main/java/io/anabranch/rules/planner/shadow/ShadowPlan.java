package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A statement whose values decide whether it goes to production or to the shadow.
 *
 * @param plan in production
 * @param shadow in the shadow, or why not
 * @param matches one of them has to match
 */
record ShadowPlan(StatementPlan plan, Shadow shadow, List<ShadowMatch> matches)
    implements WrappedPlan {

  ShadowPlan {
    matches = List.copyOf(matches);
  }

  /** What becomes of statements of the test. */
  sealed interface Shadow {}

  record Planned(StatementPlan plan) implements Shadow {}

  /** Production goes on where the shadow does not. */
  record Refused(RuntimeException refusal) implements Shadow {}

  /**
   * Production's plan is kept until the shadow is back.
   *
   * @param isBack on any thread
   */
  record Away(RuntimeException refusal, BooleanSupplier isBack) implements Shadow {}

  private StatementPlan chosen(SlotValues values) {
    boolean isShadow =
        values.isBound() && matches.stream().anyMatch(match -> match.matches(values));
    return isShadow ? ofTest() : plan;
  }

  private StatementPlan ofTest() {
    return switch (shadow) {
      case Planned planned -> planned.plan();
      case Refused refused -> throw refused.refusal();
      case Away away -> throw away.refusal();
    };
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
  public boolean isLasting() {
    return plan.isLasting()
        && switch (shadow) {
          case Planned planned -> planned.plan().isLasting();
          case Refused _ -> false;
          case Away _ -> true;
        };
  }

  @Override
  public boolean isStale() {
    return shadow instanceof Away away && away.isBack().getAsBoolean();
  }

  @Override
  public int[] guardedSlots() {
    return shadow instanceof Planned planned
        ? IntStream.concat(
                Arrays.stream(plan.guardedSlots()), Arrays.stream(planned.plan().guardedSlots()))
            .distinct()
            .sorted()
            .toArray()
        : plan.guardedSlots();
  }
}
