package io.anabranch.backend.execute;

import io.anabranch.backend.row.RowSink;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/** Takes all rows of a {@link PlanNode.Counted} and passes on those within its limit. */
final class CountedRows implements RowSink {

  private final RowSink sink;
  private final PlanNode.Counted counted;
  private long seen;
  private long passed;

  CountedRows(RowSink sink, PlanNode.Counted counted) {
    this.sink = sink;
    this.counted = counted;
  }

  PlanNode input() {
    return counted.input();
  }

  @Override
  public void columns(List<ResultColumn> columns) {
    sink.columns(columns);
  }

  @Override
  public void row(byte[] payload) {
    boolean isSkipped = seen++ < counted.offset();
    if (!isSkipped && (counted.count() < 0 || passed < counted.count())) {
      sink.row(payload);
      passed++;
    }
  }

  long passed() {
    return passed;
  }
}
