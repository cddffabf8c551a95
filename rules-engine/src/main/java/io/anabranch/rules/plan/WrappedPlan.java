package io.anabranch.rules.plan;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan around another one, as whose it answers what it does not know better: nothing that a plan
 * says is lost on the way out, because someone has forgotten to pass it on.
 */
public interface WrappedPlan extends StatementPlan {

  /** The plan inside. */
  StatementPlan plan();

  @Override
  default StatementKind kind() {
    return plan().kind();
  }

  @Override
  default Access access() {
    return plan().access();
  }

  @Override
  default NameMapping names() {
    return plan().names();
  }

  @Override
  default BoundPlan bind(SlotValues values) {
    return plan().bind(values);
  }

  @Override
  default int[] guardedSlots() {
    return plan().guardedSlots();
  }

  @Override
  default boolean isLasting() {
    return plan().isLasting();
  }

  @Override
  default boolean isStale() {
    return plan().isStale();
  }

  @Override
  default boolean sendsOthers() {
    return plan().sendsOthers();
  }

  @Override
  default List<SentValue> sent(SlotValues values) {
    return plan().sent(values);
  }

  @Override
  default @Nullable DefinitionReview review() {
    return plan().review();
  }

  @Override
  default List<PassedOver> passedOver() {
    return plan().passedOver();
  }

  @Override
  default PlanRules rules() {
    return plan().rules();
  }
}
