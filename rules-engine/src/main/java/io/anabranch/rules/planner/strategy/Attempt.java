package io.anabranch.rules.planner.strategy;

import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.plan.NameMapping;
import java.util.function.Supplier;

/** What a {@link Strategy} makes of a query. */
public sealed interface Attempt {

  /** Slots whose literals it depends on. */
  int[] guardedSlots();

  /**
   * It answers the query.
   *
   * @param names of the tables that it reads
   */
  record Taken(Scatter scatter, NameMapping names, int[] guardedSlots) implements Attempt {}

  /** It would be a way, but for this. */
  record Declined(Refusal reason, int[] guardedSlots) implements Attempt {}

  /** It is a way for queries of another kind: there is nothing to tell. */
  record Unconcerned() implements Attempt {
    @Override
    public int[] guardedSlots() {
      return new int[0];
    }
  }

  static Attempt declined(Refusal reason) {
    return new Declined(reason, new int[0]);
  }

  static Attempt declined(String construct, String wayOut) {
    return declined(new Refusal(construct, wayOut));
  }

  /**
   * A plan that is given up where something is found that it has no place for, however deep in its
   * parts: the one place in which {@link NotMergeableException} ends.
   */
  static Attempt of(Supplier<Attempt> plan) {
    try {
      return plan.get();
    } catch (NotMergeableException reason) {
      return declined(reason.refusal());
    }
  }
}
