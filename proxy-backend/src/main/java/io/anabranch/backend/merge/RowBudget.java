package io.anabranch.backend.merge;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.concurrent.atomic.AtomicLong;

/** How many rows one statement may still hold in the proxy's memory. Thread-safe. */
public final class RowBudget {

  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  public RowBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Counts one row that is held.
   *
   * @param purpose what the error says it was held for
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT
   */
  public void hold(String purpose) {
    if (taken.incrementAndGet() > limit) {
      throw ErrorCatalogue.MERGE_LIMIT.refuse(
          purpose,
          limit + " rows in the proxy's memory",
          "narrow the statement or raise proxy-merge-max-rows");
    }
  }
}
