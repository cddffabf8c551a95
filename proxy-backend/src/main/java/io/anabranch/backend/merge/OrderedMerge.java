package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowOrder;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorted sources become one sorted stream: a binary heap of the sources by their next row. Giving a
 * row refills the heap's top from the same source and lets it sink. Equal rows come in the order of
 * the sources.
 */
final class OrderedMerge implements RowStream {

  private final List<RowStream> sources;
  private final List<ResultColumn> columns;
  private final RowOrder order;
  private final RowFormat format;
  private final Head[] heap;
  private int size;
  private boolean isStarted;

  /**
   * @param sources at least one, all with the same columns
   */
  OrderedMerge(List<RowStream> sources, List<SortKey> keys, RowFormat format) {
    this.sources = List.copyOf(sources);
    this.columns = sources.getFirst().columns();
    this.format = format;
    order = new RowOrder(keys, columns, format);
    heap = new Head[sources.size()];
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    if (!isStarted) {
      start();
    } else if (size > 0 && !heap[0].advance()) {
      heap[0] = heap[--size];
      sink(0);
    } else if (size > 0) {
      sink(0);
    }
    return size == 0 ? null : heap[0].row.payload();
  }

  @Override
  public void close() {
    isStarted = true;
    size = 0;
    sources.forEach(RowStream::close);
  }

  private void start() {
    isStarted = true;
    for (int i = 0; i < sources.size(); i++) {
      var head = new Head(i, sources.get(i), format.reader(columns));
      if (head.advance()) {
        heap[size++] = head;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  private void sink(int from) {
    if (from >= size) {
      return;
    }
    Head sinking = heap[from];
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], sinking)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = sinking;
  }

  private boolean isBefore(Head a, Head b) {
    int result = order.compare(a.row, b.row);
    return result < 0 || (result == 0 && a.index < b.index);
  }

  /** A source and its next row. */
  private static final class Head {

    final int index;
    final RowReader row;
    private final RowStream source;

    Head(int index, RowStream source, RowReader row) {
      this.index = index;
      this.source = source;
      this.row = row;
    }

    boolean advance() {
      byte[] payload = source.next();
      if (payload != null) {
        row.read(payload);
      }
      return payload != null;
    }
  }
}
