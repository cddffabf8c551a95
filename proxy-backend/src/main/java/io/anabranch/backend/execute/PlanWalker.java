package io.anabranch.backend.execute;

import io.anabranch.backend.merge.RowBudget;
import io.anabranch.backend.merge.RowFormat;
import io.anabranch.backend.merge.RowSink;
import io.anabranch.backend.merge.RowStream;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.stage.StageRooms;
import io.anabranch.rules.plan.PlanNode;
import java.util.List;
import java.util.function.LongConsumer;

/** Runs merge-lane plans. Thread-safe; one per rule set. */
public final class PlanWalker {

  private final long mergeMaxRows;
  private final StageRun.Setting staging;
  private final boolean atomicStatements;

  /**
   * @param mergeMaxRows rows that one statement may hold
   * @param staged what one statement may copy into temporary tables
   * @param atomicStatements whether a write to several nodes of a sharded table is one unit
   * @param copied is told of each staged statement how many rows it has copied; any thread
   */
  public PlanWalker(
      long mergeMaxRows, StageLimits staged, boolean atomicStatements, LongConsumer copied) {
    this.mergeMaxRows = mergeMaxRows;
    this.atomicStatements = atomicStatements;
    this.staging = new StageRun.Setting(staged, new StageRooms(), copied);
  }

  /**
   * Runs a plan on the calling virtual thread and gives its rows to {@code sink}. However it ends,
   * all leases have been ended when it returns.
   *
   * @throws io.anabranch.rules.error.RefusedException the proxy's own refusal
   * @throws io.anabranch.backend.shard.ShardException.Database the database's error, its text with
   *     logical names
   * @throws RuntimeException what the sink threw, or the reason of the cancellation
   */
  public MergeOutcome run(MergeRequest request, RowSink sink) {
    try {
      var changes = new ChangeRun(request, mergeMaxRows, staging, atomicStatements);
      return switch (request.root()) {
        case PlanNode.Change change -> changes.run(change);
        case PlanNode.Returning returning -> changes.run(returning, sink);
        default -> rows(request, sink);
      };
    } catch (ShardException.Database refused) {
      throw refused.withTablesOf(request.names());
    }
  }

  private MergeOutcome rows(MergeRequest request, RowSink sink) {
    var runs = new SourceRuns(request);
    var budget = new RowBudget(mergeMaxRows);
    var format = RowFormat.of(request.binary());
    var tree = new StreamTree(format, budget, new RouteRun(runs, budget, staging));
    long count = 0;
    try (RowStream rows = tree.build(request.root())) {
      sink.columns(rows.columns());
      for (byte[] row = rows.next(); row != null; row = rows.next()) {
        sink.row(row);
        count++;
        request.cancellation().check();
      }
      runs.complete();
      List<List<String>> warned = runs.warningRows();
      var compared = new ComparedLiterals(request.root(), request.parameters());
      List<List<String>> counted = Warnings.ofOneStatement(warned, compared);
      int warnings = runs.warnings() - warned.size() + counted.size();
      return new MergeOutcome.Rows(count, warnings, counted);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }
}
