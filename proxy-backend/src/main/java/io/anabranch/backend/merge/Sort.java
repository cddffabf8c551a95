package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowOrder;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.effort.GivingWay;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds all of its input and sorts it; rows that compare equal keep their order. */
final class Sort implements RowStream {

  private final RowStream input;
  private final RowOrder order;
  private final RowReader left;
  private final RowReader right;
  private final RowBudget budget;
  private final GivingWay others = new GivingWay();
  private @Nullable List<byte[]> rows;
  private int position;

  Sort(RowStream input, List<SortKey> keys, RowFormat format, RowBudget budget) {
    this.input = input;
    this.budget = budget;
    order = new RowOrder(keys, input.columns(), format);
    left = format.reader(input.columns());
    right = format.reader(input.columns());
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    List<byte[]> sorted = rows;
    if (sorted == null) {
      sorted = sorted();
      rows = sorted;
    }
    return position < sorted.size() ? sorted.get(position++) : null;
  }

  @Override
  public void close() {
    rows = List.of();
    position = 0;
    input.close();
  }

  private List<byte[]> sorted() {
    var held = new ArrayList<byte[]>();
    for (byte[] row = input.next(); row != null; row = input.next()) {
      budget.hold("sorting after aggregation", row);
      held.add(row);
    }
    held.sort(this::compare);
    return held;
  }

  private int compare(byte[] a, byte[] b) {
    others.step();
    left.read(a);
    right.read(b);
    return order.compare(left, right);
  }
}
