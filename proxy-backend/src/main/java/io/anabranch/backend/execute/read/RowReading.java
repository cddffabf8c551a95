package io.anabranch.backend.execute.read;

import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowLiterals;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the rows of a query within a statement that writes. */
public final class RowReading {

  private static final String RESULTS = "character_set_results";

  private final MergeRequest request;
  private final String told;
  private final RowBudget budget;
  private final StageRun.Setting staging;
  private final List<List<String>> warningRows = new ArrayList<>();
  private int warnings;

  public RowReading(MergeRequest request, RowBudget budget, StageRun.Setting staging) {
    this.request = request;
    this.told = request.leases().settings().resultCharacterSet();
    this.budget = budget;
    this.staging = staging;
  }

  /** What connections answer from now on is for the client, in its own character set. */
  public void tellClient() {
    request.leases().setting(RESULTS, told);
  }

  /**
   * Reads all rows, in the binary protocol; the connections are free again when it returns.
   *
   * @param width gets the number of columns before the first row
   * @param row gets the same object for each row
   * @return how many rows there were
   */
  public long read(PlanNode rows, WidthCheck width, Consumer<RowLiterals> row) {
    request.leases().setting(RESULTS, "NULL");
    var runs = new SourceRuns(request.reading(rows));
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
      warned(runs, rows);
      return count;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private void warned(SourceRuns runs, PlanNode rows) {
    List<List<String>> all = runs.warningRows();
    var compared = new ComparedLiterals(rows, request.parameters());
    List<List<String>> counted = Warnings.ofOneStatement(all, compared);
    warningRows.addAll(counted);
    warnings += runs.warnings() - all.size() + counted.size();
  }

  /**
   * Refuses what databases refuse in statements that change rows, and only warn of in queries.
   *
   * @throws ShardException.Database the first warning as an error
   */
  public void refuseWarnings() {
    ShardException.Database refusal = Warnings.refusal(warningRows);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** What the statement may hold. */
  public RowBudget budget() {
    return budget;
  }

  /** How many warnings there were, of all that was read. */
  public int warnings() {
    return warnings;
  }

  /** What they were, as far as the databases kept them. */
  public List<List<String>> warningRows() {
    return warningRows;
  }

  /** Looks at the number of columns. */
  @FunctionalInterface
  public interface WidthCheck {

    WidthCheck ANY = columns -> {};

    void check(int columns);
  }
}
