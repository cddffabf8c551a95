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

  /**
   * @param root what the statements belong to
   * @param inserts whether their row numbers are those of the rows that were read
   */
  BatchRun(MergeRequest request, PlanNode root, RowSpool spool, boolean inserts) {
    this.request = request;
    this.root = root;
    this.spool = spool;
    this.inserts = inserts;
  }

  /** The outcomes that count, by data source and then in the order of the rows. */
  List<Answered> run(RowBatches batches, RowTarget target, Summing summing) {
    SortedMap<String, List<Batch>> bySource = batches.finish();
    if (bySource.isEmpty()) {
      return List.of();
    }
    boolean binary = target.statements().getFirst().parameters().length > 0;
    var runs = new SourceRuns(request.with(root, binary));
    try {
      var failed = new AtomicBoolean();
      var parts = new ArrayList<Part>();
      for (SourceRun run : runs.join(new TreeSet<>(bySource.keySet()))) {
        parts.add(
            new Part(run, bySource.getOrDefault(run.endpoint, List.of()), spool, failed, inserts));
      }
      Parallel.run(parts);
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
      }
      runs.complete();
      return outcomes(parts, target, summing);
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
  private static final class Part implements Runnable {

    final SourceRun run;
    final List<Answered> outcomes = new ArrayList<>();
    @Nullable RuntimeException failure;
    private final List<Batch> batches;
    private final RowSpool spool;
    private final AtomicBoolean failed;
    private final boolean inserts;

    Part(
        SourceRun run, List<Batch> batches, RowSpool spool, AtomicBoolean failed, boolean inserts) {
      this.run = run;
      this.batches = batches;
      this.spool = spool;
      this.failed = failed;
      this.inserts = inserts;
    }

    private Answered run(Batch batch) {
      try {
        Answered answer = run.execute(batch.query(spool));
        return answer.warnings().isEmpty() || !inserts
            ? answer
            : answer.counting(batch.rows(spool));
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
