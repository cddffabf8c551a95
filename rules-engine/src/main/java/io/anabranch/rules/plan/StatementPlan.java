package io.anabranch.rules.plan;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planned statement: made once per fingerprint, cached, shared by all sessions, immutable.
 *
 * <p>{@link #bind} is called on event loops: it neither blocks nor does I/O.
 */
public interface StatementPlan {

  StatementKind kind();

  /** Which member of a read/write group may run it. */
  Access access();

  /** How actual names in column definitions are turned into logical ones. */
  NameMapping names();

  /**
   * Computes the targets and renders their SQL.
   *
   * @throws io.anabranch.rules.error.RefusedException if these values cannot be answered exactly
   */
  BoundPlan bind(SlotValues values);

  /**
   * Slots whose literals decided the plan's shape, as in {@code ORDER BY 2}: the plan holds for the
   * same normal form with exactly these literals only.
   */
  default int[] guardedSlots() {
    return new int[0];
  }

  /** False: made while a data source could not be asked; the next execution plans again. */
  default boolean isLasting() {
    return true;
  }

  /**
   * Whether something has come back that was away when it was made: it is to be made again. On any
   * thread; does not block.
   */
  default boolean isStale() {
    return false;
  }

  /** Whether databases get other parameters than the client has given: those of {@link #sent}. */
  default boolean sendsOthers() {
    return false;
  }

  /**
   * What parameters of shard queries stand for, by their indexes; only where {@link #sendsOthers}.
   *
   * @param values of the client's, bound
   */
  default List<SentValue> sent(SlotValues values) {
    throw new IllegalStateException("the client's own are sent");
  }

  /** What is to be looked at when the statement has succeeded; null: nothing. */
  default @Nullable DefinitionReview review() {
    return null;
  }

  /** Cheaper ways to answer it over several nodes, and why they are none. */
  default List<PassedOver> passedOver() {
    return List.of();
  }

  /** Rules that its statements may meet. */
  default PlanRules rules() {
    return PlanRules.NONE;
  }

  /** Which member of a read/write group may run a statement. */
  enum Access {
    /** Any replica: a plain read. */
    READ,
    /** The primary: writes, DDL, locking reads, reads with side effects. */
    WRITE
  }

  /**
   * A way to answer a query that was looked at in front of the one that answers it.
   *
   * @param strategy its name
   */
  record PassedOver(String strategy, Refusal reason) {}
}
