package io.anabranch.backend.execute;

import io.anabranch.backend.execute.change.ChangeRun;
import io.anabranch.backend.execute.read.RouteRun;
import io.anabranch.backend.execute.read.StageRun;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.HeadStart;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.stage.StageRooms;
import io.anabranch.backend.stage.StagedBytes;
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
   * @param limits what statements may copy into temporary tables
   * @param staged what all of them have there, under former rules, too
   * @param atomicStatements whether a write to several nodes of a sharded table is one unit
   * @param copied is told of each staged statement how many rows it has copied; any thread
   */
  public PlanWalker(
      long mergeMaxRows,
      StageLimits limits,
      StagedBytes staged,
      boolean atomicStatements,
      LongConsumer copied) {
    this.mergeMaxRows = mergeMaxRows;
    this.atomicStatements = atomicStatements;
    this.staging = new StageRun.Setting(limits, new StageRooms(), staged, copied);
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
    return run(new HeadStart(request), sink);
  }

  /** The same of a plan of which some queries may have been sent. */
  public MergeOutcome run(HeadStart ahead, RowSink sink) {
    MergeRequest request = ahead.request();
    try {
      var changes = new ChangeRun(request, mergeMaxRows, staging, atomicStatements);
      return switch (request.root()) {
        case PlanNode.Assignment assignment ->
            new AssignmentRun(
                    request, assignment, new RowBudget(mergeMaxRows, request.memory()), staging)
                .run();
        case PlanNode.Change change -> changes.run(change);
        case PlanNode.Returning returning -> changes.run(returning, sink);
        case PlanNode.Decrypted decrypted
            when decrypted.input() instanceof PlanNode.Returning returning ->
            changes.run(
                returning, new DecryptingSink(sink, decrypted, RowFormat.of(request.binary())));
        default -> rows(ahead, sink);
      };
    } catch (ShardException.Database refused) {
      throw refused.withTablesOf(request.names());
    }
  }

  private MergeOutcome rows(HeadStart ahead, RowSink sink) {
    MergeRequest request = ahead.request();
    var runs = new SourceRuns(ahead);
    var budget = new RowBudget(mergeMaxRows, request.memory());
    var format = RowFormat.of(request.binary());
    var tree = new StreamTree(format, budget, new RouteRun(runs, budget, staging));
    PlanNode root = request.root();
    var passage = root instanceof PlanNode.Counted counted ? new CountedRows(sink, counted) : null;
    try (RowStream rows = tree.build(passage == null ? root : passage.input())) {
      RowSink to = passage == null ? sink : passage;
      long count = 0;
      to.columns(rows.columns());
      for (byte[] row = rows.next(); row != null; row = rows.next()) {
        to.row(row);
        count++;
        request.cancellation().check();
      }
      runs.complete();
      List<List<String>> warned = runs.warningRows();
      var compared = new ComparedLiterals(root, request.parameters());
      List<List<String>> told = Warnings.ofOneStatement(warned, compared);
      int warnings = runs.warnings() - warned.size() + told.size();
      return passage == null
          ? new MergeOutcome.Rows(count, -1, warnings, told)
          : new MergeOutcome.Rows(passage.passed(), count, warnings, told);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }
}
