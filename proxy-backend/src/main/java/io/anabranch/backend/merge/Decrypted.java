package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows some of whose cells are stored encrypted, as clients see them. */
final class Decrypted implements RowStream {

  private final RowStream input;
  private final DecryptedRows rows;

  Decrypted(RowStream input, PlanNode.Decrypted node, RowFormat format) {
    this.input = input;
    this.rows = new DecryptedRows(input.columns(), node, format);
  }

  @Override
  public List<ResultColumn> columns() {
    return rows.columns();
  }

  @Override
  public byte @Nullable [] next() {
    byte[] payload = input.next();
    return payload == null ? null : rows.of(payload);
  }

  @Override
  public void close() {
    input.close();
  }
}
