package io.anabranch.backend.row;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.concurrent.atomic.AtomicLong;

/** How many rows one statement may still hold in the proxy's memory, and how long. Thread-safe. */
public final class RowBudget {

  /** Of an array in a list, besides its content. */
  private static final int ROW_BYTES = 24;

  private final long limit;
  private final StatementMemory memory;
  private final AtomicLong taken = new AtomicLong();

  public RowBudget(long limit) {
    this(limit, StatementMemory.UNLIMITED);
  }

  /**
   * @param limit rows
   * @param memory where their bytes are counted
   */
  public RowBudget(long limit, StatementMemory memory) {
    this.limit = limit;
    this.memory = memory;
  }

  /** Where an operator's own rows are counted. */
  public HeldRows held() {
    return new HeldRows(memory);
  }

  /**
   * Counts one row that is held.
   *
   * @param purpose what the error says it was held for
   * @param row as it is held
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT, MEMORY_SHARE
   */
  public void hold(String purpose, byte[] row) {
    if (taken.incrementAndGet() > limit) {
      throw ErrorCatalogue.MERGE_LIMIT.refuse(
          purpose,
          limit + " rows in the proxy's memory",
          "narrow the statement or raise proxy-merge-max-rows");
    }
    memory.hold(ROW_BYTES + row.length);
  }
}
