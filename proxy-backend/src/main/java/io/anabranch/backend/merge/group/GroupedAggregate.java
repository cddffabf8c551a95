package io.anabranch.backend.merge.group;

import io.anabranch.backend.row.HeldRow;
import io.anabranch.backend.row.HeldRows;
import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowOrder;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Neighbours with equal keys become one row; without keys the whole input becomes exactly one row.
 * Output column <i>i</i> has the description of the input's column <i>i</i>.
 */
public final class GroupedAggregate implements RowStream {

  private final RowStream input;
  private final List<ResultColumn> columns;
  private final boolean isPlain;
  private final RowOrder order;
  private final HeldRow first;
  private final RowReader current;
  private final Accumulator[] cells;
  private final RowEncoder encoder;
  private byte @Nullable [] ahead;
  private boolean isStarted;
  private boolean isFinished;

  public GroupedAggregate(
      RowStream input,
      List<SortKey> keys,
      List<Aggregate> aggregates,
      RowFormat format,
      HeldRows held) {
    this.input = input;
    List<ResultColumn> described = input.columns();
    columns = List.copyOf(described.subList(0, aggregates.size()));
    isPlain = keys.isEmpty();
    long rows = aggregates.stream().filter(each -> Accumulators.keepsRow(each, isPlain)).count();
    held.places((int) rows + 1, described.size());
    order = new RowOrder(keys, described, format);
    first = new HeldRow(format.reader(described), held);
    current = format.reader(described);
    encoder = new RowEncoder(columns, format);
    var accumulators = new Accumulators(described, format, held, first);
    cells = new Accumulator[aggregates.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = accumulators.of(aggregates.get(i), columns.get(i), isPlain);
    }
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    if (isFinished) {
      return null;
    }
    if (!isStarted) {
      isStarted = true;
      ahead = input.next();
      if (ahead == null) {
        isFinished = true;
        return isPlain ? empty() : null;
      }
    }
    byte[] row = ahead;
    if (row == null) {
      isFinished = true;
      return null;
    }
    return group(row);
  }

  @Override
  public void close() {
    isFinished = true;
    input.close();
  }

  private byte[] empty() {
    start();
    return row();
  }

  private byte[] group(byte[] firstRow) {
    start();
    first.keep(firstRow);
    add(first.cells());
    byte[] row = input.next();
    for (; row != null; row = input.next()) {
      current.read(row);
      if (!isPlain && order.compare(first.cells(), current) != 0) {
        break;
      }
      add(current);
    }
    ahead = row;
    return row();
  }

  private void start() {
    for (Accumulator cell : cells) {
      cell.start();
    }
  }

  private void add(RowReader row) {
    for (Accumulator cell : cells) {
      cell.add(row);
    }
  }

  private byte[] row() {
    encoder.begin();
    for (Accumulator cell : cells) {
      cell.finish(encoder);
    }
    return encoder.finish();
  }
}
