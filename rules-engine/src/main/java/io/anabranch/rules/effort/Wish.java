package io.anabranch.rules.effort;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * That somebody waits for a plan. What is done for it, by way of a {@link PlanningRoom}, ends when
 * it is {@linkplain #abandon given up}: small statements wait for what databases tell of tables.
 * What is {@linkplain #keep kept} for it is on the account of who waits. Thread-safe.
 */
public final class Wish {

  private final LongConsumer account;
  private @Nullable Thread planning;
  private boolean isAbandoned;

  /** Nobody counts what is kept for it. */
  public Wish() {
    this(bytes -> {});
  }

  /**
   * @param account takes bytes before they are kept, or refuses them; called by one thread at a
   *     time, and only while the statement is planned
   */
  public Wish(LongConsumer account) {
    this.account = account;
  }

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
   * Asked before so much more is kept than the statement's length says: rows are as many as
   * databases have. What plans ask when they have run is not counted.
   *
   * @param bytes more
   * @throws io.anabranch.rules.error.RefusedException if nobody waits any more, or has room for it
   */
  public synchronized void keep(long bytes) {
    if (isAbandoned) {
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
    if (planning != null) {
      account.accept(bytes);
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
