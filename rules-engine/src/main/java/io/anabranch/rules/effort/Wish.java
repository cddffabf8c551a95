package io.anabranch.rules.effort;

import io.anabranch.rules.error.ErrorCatalogue;
import org.jspecify.annotations.Nullable;

/**
 * That somebody waits for a plan. What is done for it, by way of a {@link PlanningRoom}, ends when
 * it is {@linkplain #abandon given up}: small statements wait for what databases tell of tables.
 * Thread-safe.
 */
public final class Wish {

  private @Nullable Thread planning;
  private boolean isAbandoned;

  /** Nobody waits any more. */
  public synchronized void abandon() {
    isAbandoned = true;
    if (planning != null) {
      planning.interrupt();
    }
  }

  /** The calling thread is to be told. */
  synchronized void enter() {
    if (isAbandoned) {
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
    planning = Thread.currentThread();
  }

  /** It is told no more; whatever came of the planning, nobody waits for it if it was given up. */
  synchronized void leave() {
    planning = null;
    if (isAbandoned) {
      var _ = Thread.interrupted();
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
  }

  /**
   * Asked in each turn of loops whose length is up to clients.
   *
   * @throws io.anabranch.rules.error.RefusedException if nobody waits for what this thread does
   */
  public static void requireWanted() {
    if (Thread.currentThread().isInterrupted()) {
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
  }
}
