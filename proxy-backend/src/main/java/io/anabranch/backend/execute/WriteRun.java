package io.anabranch.backend.execute;

import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a {@link PlanNode.Write}: on all data sources at the same time. */
final class WriteRun {

  private final MergeRequest request;
  private final PlanNode.Write write;

  WriteRun(MergeRequest request, PlanNode.Write write) {
    this.request = request;
    this.write = write;
  }

  /** The caller makes it one unit where it is to be one. */
  MergeOutcome.Done run() {
    var runs = new SourceRuns(request);
    List<Part> parts = new ArrayList<>();
    try {
      for (SourceRun run : runs.prepare(write.queries())) {
        parts.add(new Part(run, write.atomic()));
      }
      Parallel.run(parts);
      IdentityHashMap<ShardQuery, Attempt> attempts = collect(parts);
      RuntimeException failure = failure(attempts);
      if (failure != null) {
        throw failure;
      }
      runs.complete();
      return total(outcomes(attempts));
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private MergeOutcome.Done total(List<ShardOutcome> outcomes) {
    var sum =
        new OutcomeSum(
            switch (write.summing()) {
              case SUM -> outcomes;
              case FIRST -> outcomes.subList(0, 1);
            });
    return write.records() > 0 ? sum.total(write.verb(), write.records()) : sum.total();
  }

  private static IdentityHashMap<ShardQuery, Attempt> collect(List<Part> parts) {
    var attempts = new IdentityHashMap<ShardQuery, Attempt>();
    for (Part part : parts) {
      attempts.putAll(part.attempts);
    }
    return attempts;
  }

  private List<ShardOutcome> outcomes(IdentityHashMap<ShardQuery, Attempt> attempts) {
    var outcomes = new ArrayList<ShardOutcome>(write.queries().size());
    for (ShardQuery query : write.queries()) {
      Attempt attempt = attempts.get(query);
      if (attempt != null && attempt.outcome != null) {
        outcomes.add(attempt.outcome);
      }
    }
    return outcomes;
  }

  private @Nullable RuntimeException failure(IdentityHashMap<ShardQuery, Attempt> attempts) {
    var report = new PartialFailure();
    for (ShardQuery query : write.queries()) {
      Attempt attempt = attempts.get(query);
      if (attempt == null) {
        report.notRun(query);
      } else if (attempt.failure != null) {
        report.failed(query, attempt.failure);
      } else {
        report.done(query);
      }
    }
    return write.atomic() ? report.first() : report.error();
  }

  /** How one query ended: exactly one of both is there. */
  private record Attempt(@Nullable ShardOutcome outcome, @Nullable RuntimeException failure) {}

  /** The queries of one data source, on a thread of its own. */
  private static final class Part implements Runnable {

    final IdentityHashMap<ShardQuery, Attempt> attempts = new IdentityHashMap<>();
    private final SourceRun run;
    private final boolean stopsAtFailure;

    Part(SourceRun run, boolean stopsAtFailure) {
      this.run = run;
      this.stopsAtFailure = stopsAtFailure;
    }

    @Override
    public void run() {
      for (ShardQuery query : run.queries) {
        Attempt attempt = attempt(query);
        attempts.put(query, attempt);
        boolean canGoOn = attempt.failure == null || (!stopsAtFailure && run.isUsable());
        if (!canGoOn) {
          return;
        }
      }
    }

    private Attempt attempt(ShardQuery query) {
      try {
        return new Attempt(run.execute(query), null);
      } catch (RuntimeException problem) {
        return new Attempt(null, run.remember(problem));
      }
    }
  }
}
