package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One source after the other. */
final class Concat implements RowStream {

  private final List<RowStream> sources;
  private int current;

  /**
   * @param sources at least one, all with the same columns
   */
  Concat(List<RowStream> sources) {
    this.sources = List.copyOf(sources);
  }

  @Override
  public List<ResultColumn> columns() {
    return sources.getFirst().columns();
  }

  @Override
  public byte @Nullable [] next() {
    while (current < sources.size()) {
      byte[] row = sources.get(current).next();
      if (row != null) {
        return row;
      }
      current++;
    }
    return null;
  }

  @Override
  public void close() {
    current = sources.size();
    sources.forEach(RowStream::close);
  }
}
