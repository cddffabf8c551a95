package io.anabranch.backend.execute;

import io.anabranch.backend.merge.RowBudget;
import io.anabranch.backend.merge.RowFormat;
import io.anabranch.backend.merge.RowLiterals;
import io.anabranch.backend.merge.RowStream;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.rules.plan.PlanNode;
import java.util.function.Consumer;

/** Reads the rows of a query within a statement that writes. */
final class RowReading {

  private final MergeRequest request;
  private final RowBudget budget;
  private final StageRun.Setting staging;

  RowReading(MergeRequest request, RowBudget budget, StageRun.Setting staging) {
    this.request = request;
    this.budget = budget;
    this.staging = staging;
  }

  /**
   * Reads all rows, in the binary protocol; the connections are free again when it returns.
   *
   * @param width gets the number of columns before the first row
   * @param row gets the same object for each row
   * @return how many rows there were
   */
  long read(PlanNode rows, WidthCheck width, Consumer<RowLiterals> row) {
    request.leases().setting("character_set_results", "utf8mb4");
    var runs = new SourceRuns(request.with(rows, true));
    var tree = new StreamTree(RowFormat.BINARY, budget, new RouteRun(runs, budget, staging));
    long count = 0;
    try (RowStream stream = tree.build(rows)) {
      var cells = new RowLiterals(stream.columns(), RowFormat.BINARY);
      width.check(cells.width());
      for (byte[] payload = stream.next(); payload != null; payload = stream.next()) {
        cells.read(payload);
        row.accept(cells);
        count++;
      }
      runs.complete();
      return count;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  /** Looks at the number of columns. */
  @FunctionalInterface
  interface WidthCheck {

    WidthCheck ANY = columns -> {};

    void check(int columns);
  }
}
