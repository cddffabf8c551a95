package io.anabranch.backend.merge.group;

import io.anabranch.backend.row.HeldRow;
import io.anabranch.backend.row.HeldRows;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowOrder;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Of neighbours with equal keys the first. */
public final class Distinct implements RowStream {

  private final RowStream input;
  private final RowOrder order;
  private final HeldRow previous;
  private final RowReader current;
  private boolean isFirst = true;

  public Distinct(RowStream input, List<SortKey> keys, RowFormat format, HeldRows held) {
    this.input = input;
    order = new RowOrder(keys, input.columns(), format);
    previous = new HeldRow(format.reader(input.columns()), held);
    current = format.reader(input.columns());
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    for (byte[] row = input.next(); row != null; row = input.next()) {
      current.read(row);
      if (isFirst || order.compare(previous.cells(), current) != 0) {
        isFirst = false;
        previous.keep(row);
        return row;
      }
    }
    return null;
  }

  @Override
  public void close() {
    input.close();
  }
}
