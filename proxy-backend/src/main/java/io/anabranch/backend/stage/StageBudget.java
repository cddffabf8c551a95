package io.anabranch.backend.stage;

import io.anabranch.rules.error.ErrorCatalogue;

/** Counts what one statement copies. Used by one thread. */
public final class StageBudget {

  private static final String PURPOSE = "this statement over several data sources";
  private static final String WAY_OUT = "narrow it by conditions on single tables, or raise ";

  private final StageLimits limits;
  private long rows;
  private long bytes;

  public StageBudget(StageLimits limits) {
    this.limits = limits;
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
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT
   */
  void bytes(int count) {
    bytes += count;
    if (bytes > limits.bytes()) {
      throw ErrorCatalogue.MERGE_LIMIT.refuse(
          PURPOSE,
          limits.bytes() + " bytes in temporary tables",
          WAY_OUT + "proxy-stage-max-bytes");
    }
  }
}
