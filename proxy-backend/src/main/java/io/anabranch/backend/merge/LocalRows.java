package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that the plan itself holds. */
final class LocalRows implements RowStream {

  private final List<ResultColumn> columns;
  private final RowEncoder encoder;
  private Iterator<? extends List<? extends @Nullable String>> rows;

  LocalRows(PlanNode.LocalRows node, RowFormat format) {
    columns = node.columns();
    encoder = new RowEncoder(columns, format);
    rows = node.rows().iterator();
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    if (!rows.hasNext()) {
      return null;
    }
    encoder.begin();
    for (String cell : rows.next()) {
      if (cell == null) {
        encoder.addNull();
      } else {
        encoder.addText(cell);
      }
    }
    return encoder.finish();
  }

  @Override
  public void close() {
    rows = List.<List<@Nullable String>>of().iterator();
  }
}
