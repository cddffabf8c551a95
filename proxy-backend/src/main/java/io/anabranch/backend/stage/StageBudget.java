package io.anabranch.backend.stage;

import io.anabranch.rules.error.ErrorCatalogue;

/** Counts what one statement copies, until its copies are gone. Used by one thread. */
public final class StageBudget implements AutoCloseable {

  private static final String PURPOSE = "this statement over several data sources";
  private static final String WAY_OUT = "narrow it by conditions on single tables, or raise ";

  private final StageLimits limits;
  private final StagedBytes ofAll;
  private long rows;
  private long bytes;
  private long taken;

  /**
   * @param ofAll what all statements have
   */
  public StageBudget(StageLimits limits, StagedBytes ofAll) {
    this.limits = limits;
    this.ofAll = ofAll;
  }

  /** How many there were so far. */
  public long rows() {
    return rows;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT
   */
  void row() {
    if (++rows > limits.rows()) {
      throw ErrorCatalogue.MERGE_LIMIT.refuse(
          PURPOSE, limits.rows() + " rows in temporary tables", WAY_OUT + "proxy-stage-max-rows");
    }
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT, STAGE_SHARE
   */
  void bytes(int count) {
    bytes += count;
    if (bytes > limits.bytes()) {
      throw ErrorCatalogue.MERGE_LIMIT.refuse(
          PURPOSE,
          limits.bytes() + " bytes in temporary tables",
          WAY_OUT + "proxy-stage-max-bytes");
    }
    if (!ofAll.take(count, limits.together())) {
      throw ErrorCatalogue.STAGE_SHARE.refuse(limits.together());
    }
    taken += count;
  }

  /** The copies are gone. */
  @Override
  public void close() {
    ofAll.give(taken);
    taken = 0;
  }
}
