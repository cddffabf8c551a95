package io.anabranch.backend.execute;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All data sources of one statement. */
final class SourceRuns {

  private final MergeRequest request;
  private final List<SourceRun> runs = new ArrayList<>();
  private int warnings;

  SourceRuns(MergeRequest request) {
    this.request = request;
  }

  /**
   * Takes a connection per data source, in the order of their names, so that two statements never
   * wait for each other's.
   */
  List<SourceRun> prepare(List<ShardQuery> queries) {
    var bySource = new TreeMap<String, List<ShardQuery>>();
    for (ShardQuery query : queries) {
      bySource.computeIfAbsent(query.dataSource(), name -> new ArrayList<>()).add(query);
    }
    bySource.forEach(
        (source, itsQueries) -> {
          Lease lease = request.leases().ready(source);
          runs.add(new SourceRun(lease, itsQueries, request));
          request.cancellation().enter(lease);
        });
    return runs;
  }

  /** Of all queries so far. */
  int warnings() {
    return warnings;
  }

  /** After success: answers that were not read to their end are. */
  void complete() {
    for (SourceRun run : runs) {
      run.drain();
      warnings += run.warnings();
    }
    RuntimeException failure = end();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * After a failure: an answer that is still coming is read away if a transaction hangs on the
   * connection, otherwise the connection is closed.
   *
   * @return what to throw
   */
  RuntimeException fail(RuntimeException failure) {
    boolean worthReading =
        request.leases().isInTransaction()
            && request.cancellation().reason() == null
            && !(failure instanceof ShardException.Lost);
    for (SourceRun run : runs) {
      if (worthReading) {
        run.drain();
      } else if (run.isBusy()) {
        run.lease.discard("statement failed elsewhere");
      }
    }
    RuntimeException told = end();
    RuntimeException cancelled = request.cancellation().reason();
    if (cancelled != null) {
      return cancelled;
    }
    return failure instanceof ShardException.Lost && told != null ? told : failure;
  }

  /**
   * Ends all leases, unharmed ones first.
   *
   * @return what to tell of a connection that was lost; a database's error that came up in the end
   */
  private @Nullable RuntimeException end() {
    RuntimeException told = null;
    RuntimeException refused = null;
    for (SourceRun run : List.copyOf(runs)) {
      if (run.failure() == null && !run.isBusy()) {
        run.end();
        runs.remove(run);
      }
    }
    for (SourceRun run : runs) {
      RuntimeException lost = run.end();
      told = told == null ? lost : told;
      refused = refused == null ? run.failure() : refused;
    }
    runs.clear();
    return told == null ? refused : told;
  }
}
