package io.anabranch.frontend.execution;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import java.util.function.Consumer;

/**
 * Gives a plan the statement's values: on the event loop, or on a virtual thread where a key that
 * it makes has to be waited for.
 */
public final class Binding {

  private Binding() {}

  /**
   * @param then on the event loop, with the bound plan
   */
  public static void bind(
      StatementPlan plan,
      CurrentStatement statement,
      StatementCourse course,
      Consumer<BoundPlan> then) {
    BoundPlan bound;
    try {
      bound = plan.bind(statement.values().slots());
    } catch (RefusedException refused) {
      if (!refused.is(ErrorCatalogue.KEYS_AWAITED)) {
        throw refused;
      }
      course.blocking(
          () -> {
            BoundPlan late = plan.bind(statement.values().slots());
            return () -> then.accept(late);
          });
      return;
    }
    then.accept(bound);
  }
}
