package io.anabranch.backend.row;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/** Rows on their way to a client that may get so many. */
public final class CappedRows implements RowSink {

  private final RowSink rows;
  private final RowCap.Counting count;

  public CappedRows(RowSink rows, RowCap cap) {
    this.rows = rows;
    this.count = cap.counting();
  }

  @Override
  public void columns(List<ResultColumn> columns) {
    rows.columns(columns);
  }

  /**
   * @throws RefusedException RULE_ROWS, RULE_BYTES for the first row that is too much
   */
  @Override
  public void row(byte[] payload) {
    boolean isTaken = count.takes(payload.length);
    RefusedException refusal = count.refusal();
    if (!isTaken && refusal != null) {
      throw refusal;
    }
    rows.row(payload);
  }
}
