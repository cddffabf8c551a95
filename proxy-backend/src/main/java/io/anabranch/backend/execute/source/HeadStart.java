package io.anabranch.backend.execute.source;

import io.anabranch.backend.lease.Lease;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What has been sent of a plan before a thread walks it: the event loop sends the queries of a
 * route to data sources whose connections are at hand, and the thread is needed only when answers
 * to all of them have come. For one walk; the event loop's until that begins, its thread's then.
 */
public final class HeadStart {

  private final MergeRequest request;

  /** Those that have been begun and that the walk has not taken yet. */
  private final List<SourceRun> runs = new ArrayList<>();

  private @Nullable RuntimeException failure;
  private int awaited;

  /** Nothing has been sent; the statement's moment is now. */
  public HeadStart(MergeRequest request) {
    this.request = request;
    StatementClock.stop(request);
  }

  public MergeRequest request() {
    return request;
  }

  /**
   * Sends what can be sent of a plan that reads. On the session's event loop.
   *
   * @param walk called there once, perhaps at once: when reading would not wait, or what is left is
   *     to be sent by the walk
   */
  public void begin(Runnable walk) {
    Collection<ShardQuery> queries = oneOfEachSource(request.root());
    // and for this method's end: an answer may come at once, when not all has been noted
    awaited = queries.size() + 1;
    if (!queries.isEmpty() && beginAll(queries, () -> answered(walk))) {
      answered(walk);
    } else {
      awaited = 0;
      walk.run();
    }
  }

  private boolean beginAll(Collection<ShardQuery> queries, Runnable answered) {
    try {
      for (ShardQuery query : queries) {
        if (!begin(query, answered)) {
          return false;
        }
      }
      return true;
    } catch (RuntimeException refused) {
      failure = refused;
      return false;
    }
  }

  /**
   * By the names of their data sources, as all statements take their connections; none if one of
   * them would have to wait for another of the same data source.
   */
  private static Collection<ShardQuery> oneOfEachSource(PlanNode root) {
    PlanNode leaf = root;
    for (PlanNode input = leaf.input(); input != null; input = leaf.input()) {
      leaf = input;
    }
    if (!(leaf instanceof PlanNode.Route route)) {
      return List.of();
    }
    var bySource = new TreeMap<String, ShardQuery>();
    for (ShardQuery query : route.queries()) {
      if (bySource.put(query.dataSource(), query) != null) {
        return List.of();
      }
    }
    return bySource.values();
  }

  /**
   * @return false if it has to be waited for the connection, so that those behind it wait, too
   */
  private boolean begin(ShardQuery query, Runnable answered) {
    Lease lease = request.leases().readyNow(query.dataSource());
    if (lease == null) {
      return false;
    }
    var run = new SourceRun(query.dataSource(), lease, List.of(query), request);
    runs.add(run);
    request.cancellation().enter(lease, run.stays());
    return run.begin(query, answered);
  }

  private void answered(Runnable walk) {
    if (--awaited == 0) {
      walk.run();
    }
  }

  List<SourceRun> runs() {
    return List.copyOf(runs);
  }

  /**
   * The data source's, once.
   *
   * @return null if it has not been begun
   * @throws RuntimeException why it could not be
   */
  @Nullable SourceRun take(String source) {
    for (Iterator<SourceRun> each = runs.iterator(); each.hasNext(); ) {
      SourceRun run = each.next();
      if (run.endpoint.equals(source)) {
        each.remove();
        return run;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }
}
