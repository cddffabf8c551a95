package io.anabranch.backend.execute;

import io.anabranch.backend.execute.RowBatches.Batch;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.RowTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs the statements that rows have become: on all data sources at the same time. */
final class BatchRun {

  private final MergeRequest request;
  private final PlanNode root;
  private final RowSpool spool;
  private final boolean inserts;
  private final RowReturn rows;

  /**
   * @param root what the statements belong to
   * @param inserts whether their row numbers are those of the rows that were read
   * @param rows takes what RETURNING gives
   */
  BatchRun(MergeRequest request, PlanNode root, RowSpool spool, boolean inserts, RowReturn rows) {
    this.request = request;
    this.root = root;
    this.spool = spool;
    this.inserts = inserts;
    this.rows = rows;
  }

  /** The outcomes that count, by data source and then in the order of the rows. */
  List<Answered> run(RowBatches batches, RowTarget target, Summing summing) {
    SortedMap<String, List<Batch>> bySource = batches.finish();
    if (bySource.isEmpty()) {
      return List.of();
    }
    boolean binary =
        rows.isWanted() ? request.binary() : target.statements().getFirst().parameters().length > 0;
    var runs = new SourceRuns(request.with(root, binary));
    try {
      var failed = new AtomicBoolean();
      var parts = new ArrayList<Part>();
      for (SourceRun run : runs.join(new TreeSet<>(bySource.keySet()))) {
        parts.add(new Part(run, bySource.getOrDefault(run.endpoint, List.of()), failed));
      }
      Parallel.run(parts);
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
      }
      runs.complete();
      List<Answered> counted = outcomes(parts, target, summing);
      rows.take(counted);
      return counted;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private static List<Answered> outcomes(List<Part> parts, RowTarget target, Summing summing) {
    String first = target.statements().getFirst().dataSource();
    var outcomes = new ArrayList<Answered>();
    for (Part part : parts) {
      if (summing == Summing.SUM || part.run.endpoint.equals(first)) {
        outcomes.addAll(part.outcomes);
      }
    }
    return outcomes;
  }

  /** The statements of one data source, on a thread of its own. */
  private final class Part implements Runnable {

    final SourceRun run;
    final List<Answered> outcomes = new ArrayList<>();
    @Nullable RuntimeException failure;
    private final List<Batch> batches;
    private final AtomicBoolean failed;

    Part(SourceRun run, List<Batch> batches, AtomicBoolean failed) {
      this.run = run;
      this.batches = batches;
      this.failed = failed;
    }

    private Answered run(Batch batch) {
      try {
        Answered answer = run.execute(batch.query(spool), rows);
        boolean counts = !answer.warnings().isEmpty() || rows.isWanted();
        return inserts && counts ? answer.counting(batch.rows(spool)) : answer;
      } catch (ShardException.Database refused) {
        throw inserts ? RowNumbers.in(refused, batch.rows(spool)) : refused;
      }
    }

    @Override
    public void run() {
      try {
        for (Batch batch : batches) {
          if (failed.get()) {
            return;
          }
          outcomes.add(run(batch));
        }
      } catch (RuntimeException problem) {
        failed.set(true);
        failure = run.remember(problem);
      }
    }
  }
}
