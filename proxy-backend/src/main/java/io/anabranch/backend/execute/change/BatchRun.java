package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.rows.RowBatches;
import io.anabranch.backend.execute.rows.RowBatches.Batch;
import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.Parallel;
import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs the statements that rows have become: on all data sources at the same time. */
final class BatchRun {

  private final MergeRequest request;
  private final PlanNode root;
  private final RowSpool spool;
  private final boolean inserts;
  private final RowReturn rows;
  private InsertKeys keys = InsertKeys.AS_TOLD;
  private long firstKey;

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
    // of rows that several nodes share no database makes keys
    boolean asks =
        inserts
            && !rows.isWanted()
            && (summing == Summing.FIRST || target.statements().size() == 1);
    var runs = new SourceRuns(request.with(root, binary));
    try {
      var failed = new AtomicInteger(Integer.MAX_VALUE);
      var parts = new ArrayList<Part>();
      for (SourceRun run : runs.join(new TreeSet<>(bySource.keySet()))) {
        parts.add(new Part(run, bySource.getOrDefault(run.endpoint, List.of()), failed, asks));
      }
      run(parts, target, summing);
      Part first = parts.stream().min(Comparator.comparingInt(part -> part.failedAt)).orElseThrow();
      if (first.failure != null) {
        throw first.failure;
      }
      if (summing == Summing.FIRST) {
        requireAlike(parts);
      }
      keys = keys(parts, target, summing);
      firstKey = firstKey == 0 ? firstKey(batches, parts) : firstKey;
      runs.complete();
      List<Answered> counted = outcomes(parts, target, summing);
      rows.take(counted);
      return counted;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  /** Of copies the first one is written before the others. */
  private void run(List<Part> parts, RowTarget target, Summing summing) {
    if (summing == Summing.SUM) {
      Parallel.run(parts);
      return;
    }
    String endpoint = target.statements().getFirst().dataSource();
    Part first =
        parts.stream().filter(part -> part.run.endpoint.equals(endpoint)).findFirst().orElseThrow();
    List<Part> others = parts.stream().filter(part -> part != first).toList();
    first.handsOn = inserts && !others.isEmpty();
    first.run();
    if (first.failure != null || others.isEmpty()) {
      return;
    }
    if (first.made.stream().anyMatch(key -> key != 0)) {
      Copies.requireSameNumbering(first.run, others.stream().map(part -> part.run).toList());
      others.forEach(other -> other.given = first.made);
    }
    Parallel.run(others);
  }

  /** All copies have got the same statements. */
  private void requireAlike(List<Part> parts) {
    for (int batch = 0; batch < parts.getFirst().outcomes.size(); batch++) {
      int position = batch;
      Copies.requireAlike(
          parts.stream().map(part -> part.outcomes.get(position)).toList(), inserts);
    }
  }

  /** What the answers' insert ids are. */
  InsertKeys keys() {
    return keys;
  }

  /** The key that the proxy made for the first row that was inserted; 0: there is none. */
  long firstKey() {
    return firstKey;
  }

  private long firstKey(RowBatches batches, List<Part> parts) {
    if (!batches.mayLeaveOut()) {
      return batches.firstKey();
    }
    var first = new FirstMadeKey();
    for (Part part : parts) {
      for (Batch batch : part.batches) {
        ShardQuery question = batch.least(spool);
        if (question != null) {
          first.ask(part.run, batch.around(), question);
        }
      }
    }
    return first.known();
  }

  private InsertKeys keys(List<Part> parts, RowTarget target, Summing summing) {
    if (!inserts || rows.isWanted()) {
      return InsertKeys.AS_TOLD;
    }
    String first = target.statements().getFirst().dataSource();
    int last = 0;
    InsertKeys found = InsertKeys.AS_TOLD;
    for (Part part : parts) {
      boolean counts = summing == Summing.SUM || part.run.endpoint.equals(first);
      if (counts && part.last > last) {
        last = part.last;
        found = part.asks ? part.asked.known() : InsertKeys.given(part.lastId);
      }
    }
    return found;
  }

  /** One statement that is about no rows. */
  Answered run(ShardQuery query) {
    var runs = new SourceRuns(request.with(root, query.parameters().length > 0));
    try {
      Answered answer = null;
      for (SourceRun run : runs.prepare(List.of(query))) {
        answer = execute(run, query);
      }
      runs.complete();
      return Objects.requireNonNull(answer);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private static Answered execute(SourceRun run, ShardQuery query) {
    try {
      return run.execute(query);
    } catch (RuntimeException problem) {
      throw run.remember(problem);
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

    /** The row that failed, as far as that is told. */
    int failedAt = Integer.MAX_VALUE;

    private final List<Batch> batches;

    /** The first row that failed anywhere: a server comes to no row behind it. */
    private final AtomicInteger failed;

    /** Whether it is to know the first key of each batch, for the other copies. */
    boolean handsOn;

    /** The first keys that the database made, by batch; 0: none. */
    final List<Long> made = new ArrayList<>();

    /** Those of the first copy; null: the database makes its own. */
    @Nullable List<Long> given;

    private final boolean asks;
    private final InsertKeys.Asked asked = new InsertKeys.Asked();
    private int last;
    private long lastId;

    Part(SourceRun run, List<Batch> batches, AtomicInteger failed, boolean asks) {
      this.asks = asks;
      this.run = run;
      this.batches = batches;
      this.failed = failed;
    }

    private Answered run(Batch batch) {
      if (given != null) {
        run.giveKey(given.get(outcomes.size()));
      }
      if (handsOn) {
        run.awaitKey();
      }
      Answered answer = run.execute(batch.query(spool), rows);
      if (handsOn) {
        made.add(made(answer.outcome().lastInsertId()));
      }
      boolean counts = !answer.warnings().isEmpty() || rows.isWanted();
      return inserts && counts ? answer.counting(batch.rows(spool)) : answer;
    }

    /** Behind rows that are returned the answer tells it itself. */
    private long made(long insertId) {
      if (insertId == 0 || rows.isWanted()) {
        return insertId;
      }
      long key = run.madeKey();
      if (asks) {
        asked.told(key, insertId);
      }
      return key;
    }

    private void note(int row, long insertId) {
      if (asks && !handsOn) {
        asked.told(run, insertId);
      }
      if (row > last) {
        last = row;
        lastId = insertId;
      }
    }

    @Override
    public void run() {
      int[] numbers = {};
      try {
        if (asks && !batches.isEmpty()) {
          run.awaitKey();
        }
        for (Batch batch : batches) {
          numbers = batch.rows(spool);
          if (failed.get() < numbers[0]) {
            return;
          }
          Answered answer = run(batch);
          outcomes.add(answer);
          note(batch.last(), answer.outcome().lastInsertId());
        }
      } catch (RuntimeException problem) {
        RuntimeException told = run.remember(problem);
        boolean isOfRow = inserts && numbers.length > 0 && told instanceof ShardException.Database;
        failure = isOfRow ? RowNumbers.in(told, numbers) : told;
        failedAt = isOfRow ? RowNumbers.of(String.valueOf(failure.getMessage()), numbers[0]) : 0;
        failed.accumulateAndGet(failedAt, Math::min);
      }
    }
  }
}
