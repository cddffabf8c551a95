package io.anabranch.rules.effort;

import io.anabranch.rules.error.ErrorCatalogue;
import org.jspecify.annotations.Nullable;

/**
 * That somebody waits for a plan. What is done in a {@link PlanningRoom} for it ends when it is
 * {@linkplain #abandon given up}; smaller statements are through sooner. Thread-safe.
 */
public final class Wish {

  private @Nullable Thread inRoom;
  private boolean isAbandoned;

  /** Nobody waits any more. */
  public synchronized void abandon() {
    isAbandoned = true;
    if (inRoom != null) {
      inRoom.interrupt();
    }
  }

  /** The calling thread is to be told. */
  synchronized void enter() {
    if (isAbandoned) {
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
    inRoom = Thread.currentThread();
  }

  synchronized void leave() {
    inRoom = null;
    if (isAbandoned && Thread.interrupted()) {
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
