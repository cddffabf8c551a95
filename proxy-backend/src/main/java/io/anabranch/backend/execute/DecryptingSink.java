package io.anabranch.backend.execute;

import io.anabranch.backend.merge.DecryptedRows;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowSink;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that a change returns, decrypted on their way to the client. */
final class DecryptingSink implements RowSink {

  private final RowSink sink;
  private final PlanNode.Decrypted node;
  private final RowFormat format;
  private @Nullable DecryptedRows rows;

  DecryptingSink(RowSink sink, PlanNode.Decrypted node, RowFormat format) {
    this.sink = sink;
    this.node = node;
    this.format = format;
  }

  @Override
  public void columns(List<ResultColumn> columns) {
    rows = new DecryptedRows(columns, node, format);
    sink.columns(rows.columns());
  }

  @Override
  public void row(byte[] payload) {
    if (rows == null) {
      throw new IllegalStateException("a row before its columns");
    }
    sink.row(rows.of(payload));
  }
}
