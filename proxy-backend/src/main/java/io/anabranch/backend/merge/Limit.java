package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Skips {@code offset} rows, passes {@code count} (all if negative), then ends its input. */
final class Limit implements RowStream {

  private final RowStream input;
  private long toSkip;
  private long toPass;

  Limit(RowStream input, long offset, long count) {
    this.input = input;
    toSkip = offset;
    toPass = count < 0 ? Long.MAX_VALUE : count;
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    if (toPass == 0) {
      input.close();
      return null;
    }
    for (; toSkip > 0; toSkip--) {
      if (input.next() == null) {
        toPass = 0;
        return null;
      }
    }
    toPass--;
    return input.next();
  }

  @Override
  public void close() {
    toPass = 0;
    input.close();
  }
}
