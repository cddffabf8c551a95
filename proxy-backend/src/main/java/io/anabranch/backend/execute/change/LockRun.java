package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a {@link PlanNode.Lock}: one data source after the other, everywhere or nowhere. The
 * connections stay with the session.
 */
final class LockRun {

  private static final byte[] UNLOCK = "UNLOCK TABLES".getBytes(StandardCharsets.US_ASCII);

  private final MergeRequest request;
  private final PlanNode.Lock lock;

  LockRun(MergeRequest request, PlanNode.Lock lock) {
    this.request = request;
    this.lock = lock;
  }

  MergeOutcome.Done run() {
    var runs = new SourceRuns(request);
    var locked = new ArrayList<SourceRun>();
    try {
      for (SourceRun run : runs.prepare(lock.queries())) {
        locked.add(run);
        for (ShardQuery query : run.queries) {
          execute(run, query);
        }
      }
      locked.forEach(run -> request.leases().pin(run.lease, Pin.LOCK_TABLES));
      runs.complete();
      return new MergeOutcome.Done(0, 0, 0, "", List.of());
    } catch (RuntimeException failure) {
      locked.forEach(LockRun::unlock);
      throw runs.fail(failure);
    }
  }

  private static void execute(SourceRun run, ShardQuery query) {
    try {
      run.execute(query);
    } catch (RuntimeException problem) {
      throw run.remember(problem);
    }
  }

  /** A connection on which that fails is closed, and its locks are gone. */
  private static void unlock(SourceRun run) {
    if (run.isUsable()) {
      try {
        run.execute(ShardQuery.text(run.lease.dataSource(), UNLOCK));
      } catch (RuntimeException problem) {
        run.remember(problem);
        run.lease.discard("tables could not be unlocked: " + problem.getMessage());
      }
    }
  }
}
