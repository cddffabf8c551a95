package io.anabranch.backend.execute.source;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All data sources of one statement. */
public final class SourceRuns {

  private final MergeRequest request;
  private final List<SourceRun> runs = new ArrayList<>();

  /** Connections that more than one route reads from, one after the other. */
  private final Map<String, SourceRun> kept = new HashMap<>();

  private final List<List<String>> warningRows = new ArrayList<>();
  private final HeadStart ahead;
  private int warnings;

  public SourceRuns(MergeRequest request) {
    this(new HeadStart(request));
  }

  /**
   * @param ahead what runs already of the statement
   */
  public SourceRuns(HeadStart ahead) {
    this.request = ahead.request();
    this.ahead = ahead;
    runs.addAll(ahead.runs());
  }

  /**
   * Takes a connection per data source, in the order of their names, so that two statements never
   * wait for each other's.
   */
  public List<SourceRun> prepare(List<ShardQuery> queries) {
    var bySource = new TreeMap<String, List<ShardQuery>>();
    for (ShardQuery query : queries) {
      bySource.computeIfAbsent(query.dataSource(), name -> new ArrayList<>()).add(query);
    }
    var prepared = new ArrayList<SourceRun>(bySource.size());
    bySource.forEach(
        (source, itsQueries) -> {
          SourceRun known = kept.get(source);
          prepared.add(known == null ? begin(source, itsQueries) : known.again(itsQueries));
        });
    return prepared;
  }

  private SourceRun begin(String source, List<ShardQuery> queries) {
    SourceRun begun = ahead.take(source);
    if (begun != null) {
      return begun;
    }
    Lease lease = request.times().leasing(() -> request.leases().ready(source));
    var run = new SourceRun(source, lease, queries, request);
    runs.add(run);
    request.cancellation().enter(lease, run.stays());
    return run;
  }

  /**
   * Takes the connections of several routes that are read one after the other, each to its end.
   * Outside of a transaction the queries of one data source see it at one moment.
   */
  public void keep(List<ShardQuery> queries) {
    var counts = new TreeMap<String, Integer>();
    queries.forEach(query -> counts.merge(query.dataSource(), 1, Integer::sum));
    counts.forEach(
        (source, count) -> {
          SourceRun run = begin(source, List.of());
          kept.put(source, run);
          if (count > 1 && isOfNoTransaction()) {
            run.beginSnapshot();
          }
        });
  }

  /** A transaction that begins would end LOCK TABLES. */
  private boolean isOfNoTransaction() {
    StatementLeases leases = request.leases();
    return !leases.isInTransaction() && !leases.isInUnit() && !leases.holdLocks();
  }

  /**
   * Ends the kept connections, whose queries have been read.
   *
   * @return what these warned of, which is not counted yet
   */
  public List<List<String>> letGo() {
    RuntimeException told = null;
    var warned = new ArrayList<List<String>>();
    for (SourceRun run : kept.values()) {
      warned.addAll(run.warningRows());
      run.endSnapshot();
      RuntimeException failure = run.failure();
      RuntimeException lost = run.end();
      runs.remove(run);
      told = lost != null ? lost : failure != null ? failure : told;
    }
    kept.clear();
    if (told != null) {
      throw told;
    }
    return warned;
  }

  public MergeRequest request() {
    return request;
  }

  /** Counts warnings of a query that ran elsewhere. */
  public void warned(int count, List<List<String>> rows) {
    warnings += count;
    warningRows.addAll(rows);
  }

  /** The same for queries that are not known yet. */
  public List<SourceRun> join(SortedSet<String> sources) {
    var joined = new ArrayList<SourceRun>(sources.size());
    for (String source : sources) {
      joined.add(begin(source, List.of()));
    }
    return joined;
  }

  /** Of all queries so far. */
  public int warnings() {
    return warnings;
  }

  /** What they were, as far as the databases kept them. */
  public List<List<String>> warningRows() {
    return warningRows;
  }

  /** After success: answers that were not read to their end are. */
  public void complete() {
    for (SourceRun run : runs) {
      run.drain();
      warnings += run.warnings();
      warningRows.addAll(run.warningRows());
    }
    RuntimeException failure = end();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * After a failure: an answer that is still coming is read away if the session needs the
   * connection, or if the statement was cancelled, and so has been ended there; otherwise the
   * connection is closed. A transaction that has lost one of its connections needs none.
   *
   * @return what to throw
   */
  public RuntimeException fail(RuntimeException failure) {
    boolean isOver = failure instanceof ShardException.Lost && request.leases().isInTransaction();
    boolean isCancelled = request.cancellation().reason() != null;
    for (SourceRun run : runs) {
      if ((run.stays() || isCancelled) && !isOver) {
        run.drain();
        run.leave();
      } else if (run.isBusy()) {
        run.lease.discard("statement failed elsewhere");
      }
      run.endSnapshot();
    }
    kept.clear();
    boolean stays = runs.stream().anyMatch(SourceRun::stays);
    RuntimeException told = end();
    RuntimeException cancelled = request.cancellation().reason();
    if (cancelled != null) {
      if (stays && told instanceof RefusedException transactionLost) {
        return transactionLost;
      }
      return isReport(failure) ? failure : cancelled;
    }
    return failure instanceof ShardException.Lost && told != null ? told : failure;
  }

  /** Whether it tells of parts that are done: who interrupts a statement has to know. */
  private static boolean isReport(RuntimeException failure) {
    return failure instanceof RefusedException refused
        && (refused.is(ErrorCatalogue.DDL_INCOMPLETE)
            || refused.is(ErrorCatalogue.WRITE_INCOMPLETE));
  }

  /**
   * Ends all leases, unharmed ones first.
   *
   * @return what to tell of a connection that was lost, rather of one that broke than of one that
   *     was closed; a database's error that came up in the end
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
    boolean isCause = false;
    for (SourceRun run : runs) {
      RuntimeException lost = run.end();
      boolean broke = run.failure() instanceof ShardException.Lost;
      told = told == null || (broke && !isCause) ? lost : told;
      isCause |= broke;
      refused = refused == null ? run.failure() : refused;
    }
    runs.clear();
    return told == null ? refused : told;
  }
}
