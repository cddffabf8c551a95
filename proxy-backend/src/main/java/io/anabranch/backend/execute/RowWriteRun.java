package io.anabranch.backend.execute;

import io.anabranch.backend.execute.RowBatches.Batch;
import io.anabranch.backend.merge.RowBudget;
import io.anabranch.backend.merge.RowFormat;
import io.anabranch.backend.merge.RowLiterals;
import io.anabranch.backend.merge.RowStream;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link PlanNode.RowWrite}: reads all rows, then changes the tables, data sources at the
 * same time. The caller makes it one unit.
 */
final class RowWriteRun {

  private final MergeRequest request;
  private final PlanNode.RowWrite write;
  private final RowBudget budget;
  private final StageRun.Setting staging;

  RowWriteRun(
      MergeRequest request, PlanNode.RowWrite write, RowBudget budget, StageRun.Setting staging) {
    this.request = request;
    this.write = write;
    this.budget = budget;
    this.staging = staging;
  }

  MergeOutcome.Done run() {
    request.leases().setting("character_set_results", "utf8mb4");
    try (var spool = new RowSpool()) {
      List<RowBatches> targets =
          write.targets().stream().map(target -> new RowBatches(target, spool)).toList();
      long rows = read(targets);
      var outcomes = new ArrayList<ShardOutcome>();
      long firstKey = 0;
      for (int i = 0; i < targets.size(); i++) {
        RowBatches batches = targets.get(i);
        outcomes.addAll(run(batches.finish(), write.targets().get(i), spool));
        firstKey = firstKey == 0 ? batches.firstKey() : firstKey;
      }
      MergeOutcome.Done total = new OutcomeSum(outcomes).total(write.verb(), rows);
      long insertId = firstKey == 0 || total.affectedRows() == 0 ? 0 : firstKey;
      return insertId == 0
          ? total
          : new MergeOutcome.Done(total.affectedRows(), insertId, total.warnings(), total.info());
    }
  }

  private long read(List<RowBatches> targets) {
    var binary =
        new MergeRequest(
            write.rows(),
            request.parameters(),
            true,
            request.names(),
            request.leases(),
            request.cancellation());
    var runs = new SourceRuns(binary);
    var tree = new StreamTree(RowFormat.BINARY, budget, new RouteRun(runs, budget, staging));
    long count = 0;
    try (RowStream rows = tree.build(write.rows())) {
      var row = new RowLiterals(rows.columns(), RowFormat.BINARY);
      checkWidth(row);
      for (byte[] payload = rows.next(); payload != null; payload = rows.next()) {
        row.read(payload);
        for (RowBatches target : targets) {
          target.add(row);
        }
        count++;
      }
      runs.complete();
      return count;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private void checkWidth(RowLiterals row) {
    for (RowTarget target : write.targets()) {
      boolean made = target.keys() != null && target.keys().column() == target.columns().length - 1;
      boolean fits =
          row.width() == target.columns().length
              || (made && row.width() == target.columns().length - 1);
      if (write.verb() != PlanNode.Verb.UPDATE && write.verb() != PlanNode.Verb.DELETE && !fits) {
        throw ErrorCatalogue.COLUMN_COUNT.refuse(1);
      }
    }
  }

  private List<ShardOutcome> run(
      SortedMap<String, List<Batch>> bySource, RowTarget target, RowSpool spool) {
    if (bySource.isEmpty()) {
      return List.of();
    }
    boolean binary = target.statements().getFirst().parameters().length > 0;
    var writing =
        new MergeRequest(
            write.rows(),
            request.parameters(),
            binary,
            request.names(),
            request.leases(),
            request.cancellation());
    var runs = new SourceRuns(writing);
    try {
      var failed = new AtomicBoolean();
      var parts = new ArrayList<Part>();
      for (SourceRun run : runs.join(new TreeSet<>(bySource.keySet()))) {
        List<Batch> batches = bySource.getOrDefault(run.endpoint, List.of());
        parts.add(new Part(run, batches, spool, failed));
      }
      Parallel.run(parts);
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
      }
      runs.complete();
      return outcomes(parts, target);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private List<ShardOutcome> outcomes(List<Part> parts, RowTarget target) {
    String first = target.statements().getFirst().dataSource();
    var outcomes = new ArrayList<ShardOutcome>();
    for (Part part : parts) {
      if (write.summing() == Summing.SUM || part.run.endpoint.equals(first)) {
        outcomes.addAll(part.outcomes);
      }
    }
    return outcomes;
  }

  /** The statements of one data source, on a thread of its own. */
  private static final class Part implements Runnable {

    final SourceRun run;
    final List<ShardOutcome> outcomes = new ArrayList<>();
    @Nullable RuntimeException failure;
    private final List<Batch> batches;
    private final RowSpool spool;
    private final AtomicBoolean failed;

    Part(SourceRun run, List<Batch> batches, RowSpool spool, AtomicBoolean failed) {
      this.run = run;
      this.batches = batches;
      this.spool = spool;
      this.failed = failed;
    }

    @Override
    public void run() {
      try {
        for (Batch batch : batches) {
          if (failed.get()) {
            return;
          }
          ShardQuery query = batch.query(spool);
          outcomes.add(run.execute(query));
        }
      } catch (RuntimeException problem) {
        failed.set(true);
        failure = run.remember(problem);
      }
    }
  }
}
