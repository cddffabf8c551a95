package io.anabranch.rules.planner.change;

import io.anabranch.rules.error.RefusedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A form of a statement that only some executions need: where it cannot be planned, those are
 * refused.
 *
 * @param plan null if it was not wanted or is refused
 */
record OccasionalForm<T>(@Nullable T plan, @Nullable RefusedException refusal) {

  static <T> OccasionalForm<T> of(boolean wanted, Supplier<T> planning) {
    if (!wanted) {
      return new OccasionalForm<>(null, null);
    }
    try {
      return new OccasionalForm<>(planning.get(), null);
    } catch (RefusedException refused) {
      return new OccasionalForm<>(null, refused);
    }
  }

  /** Whether its refusal, if it is one, is not that of a data source that is away. */
  boolean isLasting() {
    return refusal == null || !refusal.isUnreachable();
  }

  /** The plan; throws why there is none. */
  T required() {
    if (plan != null) {
      return plan;
    }
    throw refusal != null ? refusal : new IllegalStateException("a form that was not planned");
  }
}
