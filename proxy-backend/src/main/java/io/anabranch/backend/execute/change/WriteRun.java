package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.Parallel;
import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.execute.source.WriteChain;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs a {@link PlanNode.Write}: on all data sources at the same time. */
final class WriteRun {

  private static final int[] NO_ROWS = {};

  /** ER_ROW_IS_REFERENCED_2 of MariaDB, ER_FK_CANNOT_DROP_PARENT of MySQL. */
  private static final Set<Integer> REFERENCED = Set.of(1451, 3730);

  private final MergeRequest request;
  private final PlanNode.Write write;
  private final boolean loose;
  private final RowReturn rows;
  private final InsertKeys.Asked asked = new InsertKeys.Asked();

  /**
   * @param loose whether a failure does not undo what succeeds elsewhere
   * @param rows takes what RETURNING gives
   */
  WriteRun(MergeRequest request, PlanNode.Write write, boolean loose, RowReturn rows) {
    this.request = request;
    this.write = write;
    this.loose = loose;
    this.rows = rows;
  }

  /** The caller makes it one unit where it is to be one. */
  MergeOutcome.Done run() {
    var runs = new SourceRuns(request);
    List<Part> parts = new ArrayList<>();
    try {
      for (SourceRun run : runs.prepare(write.queries())) {
        parts.add(new Part(run, write, rows, request.cancellation()));
      }
      awaitKeys(parts);
      List<Part> leading = areCopies() ? parts.stream().filter(this::isCounted).toList() : parts;
      run(leading);
      askForKeys(leading);
      if (leading.size() < parts.size() && leading.stream().allMatch(Part::mayBeFollowed)) {
        List<Part> following = parts.stream().filter(part -> !isCounted(part)).toList();
        handKeys(leading.getFirst(), following);
        run(following);
      }
      IdentityHashMap<ShardQuery, Attempt> attempts = collect(parts);
      RuntimeException failure = failure(attempts);
      if (failure != null) {
        throw failure;
      }
      // what answers a DELETE with rows tells the key that its connection made last, for anybody
      if (areCopies() && !(rows.isWanted() && write.verb() == PlanNode.Verb.DELETE)) {
        Copies.requireAlike(answers(attempts), write.verb().inserts());
      }
      InsertKeys keys = keys(attempts);
      MergeOutcome.Done total = keys.in(total(attempts));
      long made = firstMade(parts, total.affectedRows());
      runs.complete();
      return total.withGeneratedKey(made, false);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  /** Whether all data sources have the same rows, which change in all of them. */
  private boolean areCopies() {
    return write.atomic() && write.counted().size() == 1 && write.queries().size() > 1;
  }

  private boolean isCounted(Part part) {
    return part.run.queries.contains(counted());
  }

  /** The first of the queries that count. */
  private ShardQuery counted() {
    return write.queries().get(write.counted().getFirst());
  }

  private void run(List<Part> parts) {
    if (isChained(parts)) {
      parts.forEach(Part::begin);
      parts.forEach(Part::finish);
    } else {
      Parallel.run(parts);
    }
  }

  /** Rows of a broadcast table may be given the key that the connection made last. */
  private void awaitKeys(List<Part> parts) {
    if (isAskedForKeys()) {
      parts.stream().filter(this::isCounted).forEach(part -> part.run.awaitKey());
    }
  }

  private void askForKeys(List<Part> leading) {
    if (isAskedForKeys()) {
      for (Part part : leading) {
        Attempt attempt = part.attempts.get(counted());
        if (attempt != null && attempt.answer != null) {
          asked.told(part.run, attempt.answer.outcome().lastInsertId());
        }
      }
    }
  }

  private void handKeys(Part leading, List<Part> following) {
    if (!write.verb().inserts()) {
      return;
    }
    Answered answer = Objects.requireNonNull(leading.attempts.get(counted())).answer();
    if (answer != null) {
      long made = rows.isWanted() ? answer.outcome().lastInsertId() : asked.known().generated();
      long changed = Math.max(answer.rows(), answer.outcome().affectedRows());
      Copies.handOn(leading.run, made, changed, following.stream().map(part -> part.run).toList());
    }
  }

  /** Whether connections, and not answers alone, say which key was made. */
  private boolean isAskedForKeys() {
    return tellsKeys() && write.rows().isEmpty() && write.counted().size() == 1;
  }

  private boolean tellsKeys() {
    return write.verb() != PlanNode.Verb.DEFINE && write.atomic() && !rows.isWanted();
  }

  /** Whether no data source needs a thread of its own; DDL may answer with rows. */
  private boolean isChained(List<Part> parts) {
    return write.atomic()
        && !rows.isWanted()
        && parts.stream().allMatch(part -> part.run.canChain());
  }

  private static List<Answered> answers(IdentityHashMap<ShardQuery, Attempt> attempts) {
    return attempts.values().stream().map(Attempt::answer).filter(Objects::nonNull).toList();
  }

  /** What the answers' insert ids are: databases make no keys of rows that several nodes share. */
  private InsertKeys keys(IdentityHashMap<ShardQuery, Attempt> attempts) {
    if (!tellsKeys()) {
      return InsertKeys.AS_TOLD;
    }
    if (!write.rows().isEmpty()) {
      return write.queries().size() == 1 && write.made() == null
          ? InsertKeys.AS_TOLD
          : InsertKeys.given(idOfLastRow(attempts));
    }
    return asked.known();
  }

  /** The key that the proxy made for the first row that was not left out; 0: there is none. */
  private long firstMade(List<Part> parts, long inserted) {
    PlanNode.MadeKeys made = write.made();
    if (made == null || inserted == 0) {
      return 0;
    }
    long rows = write.rows().stream().mapToLong(numbers -> numbers.length).sum();
    if (inserted == rows && !made.updates()) {
      return made.first();
    }
    var first = new FirstMadeKey();
    for (ShardQuery question : made.least()) {
      for (Part part : parts) {
        if (part.run.endpoint.equals(question.dataSource())) {
          first.ask(part.run, question, question);
        }
      }
    }
    return first.known();
  }

  private long idOfLastRow(IdentityHashMap<ShardQuery, Attempt> attempts) {
    int last = 0;
    long id = 0;
    for (int query = 0; query < write.queries().size(); query++) {
      int[] numbers = rows(query);
      Attempt attempt = attempts.get(write.queries().get(query));
      if (attempt != null && attempt.answer != null && numbers[numbers.length - 1] > last) {
        last = numbers[numbers.length - 1];
        id = attempt.answer.outcome().lastInsertId();
      }
    }
    return id;
  }

  private MergeOutcome.Done total(IdentityHashMap<ShardQuery, Attempt> attempts) {
    var answers = new ArrayList<Answered>();
    if (write.verb() == PlanNode.Verb.DEFINE) {
      write.queries().stream()
          .map(attempts::get)
          .filter(attempt -> attempt != null && attempt.answer != null)
          .forEach(attempt -> answers.add(Objects.requireNonNull(attempt.answer)));
      return new OutcomeSum(answers).defined();
    }
    long records = 0;
    for (int position : write.counted()) {
      Attempt attempt = attempts.get(write.queries().get(position));
      if (attempt != null && attempt.answer != null) {
        answers.add(attempt.answer.counting(rows(position)));
      }
      records += rows(position).length;
    }
    rows.take(answers);
    var sum = OutcomeSum.of(answers, false, new ComparedLiterals(write, request.parameters()));
    if (write.verb() == PlanNode.Verb.DROP) {
      return sum.dropped();
    }
    return write.rows().isEmpty() ? sum.total() : sum.total(write.verb(), records);
  }

  /** Numbers of the rows of a query in the client's statement; empty where it has none. */
  private int[] rows(int query) {
    return write.rows().isEmpty() ? NO_ROWS : write.rows().get(query);
  }

  private static IdentityHashMap<ShardQuery, Attempt> collect(List<Part> parts) {
    var attempts = new IdentityHashMap<ShardQuery, Attempt>();
    for (Part part : parts) {
      attempts.putAll(part.attempts);
    }
    return attempts;
  }

  private @Nullable RuntimeException failure(IdentityHashMap<ShardQuery, Attempt> attempts) {
    PartialFailure whole = report(attempts, 0, write.queries().size());
    if (request.cancellation().reason() != null && whole.isDoneNowhere()) {
      return whole.first();
    }
    if ((write.atomic() && !loose) || whole.first() == null) {
      return whole.first();
    }
    if (write.atomic()) {
      return whole.error(ErrorCatalogue.WRITE_INCOMPLETE);
    }
    var tables = new ArrayList<PartialFailure>();
    for (int table = 0; table < write.counted().size(); table++) {
      boolean isLast = table + 1 == write.counted().size();
      int end = isLast ? write.queries().size() : write.counted().get(table + 1);
      tables.add(report(attempts, write.counted().get(table), end));
    }
    ShardException.Database unknown = UnknownTables.in(tables, request.names());
    return unknown == null ? whole.error(ErrorCatalogue.DDL_INCOMPLETE) : unknown;
  }

  /** How the queries {@code [from, to)} went. */
  private PartialFailure report(IdentityHashMap<ShardQuery, Attempt> attempts, int from, int to) {
    var report = new PartialFailure(!write.rows().isEmpty());
    RuntimeException cancelled = request.cancellation().reason();
    for (int position = from; position < to; position++) {
      ShardQuery query = write.queries().get(position);
      Attempt attempt = attempts.get(query);
      if (attempt == null && cancelled != null) {
        report.failed(query, cancelled);
      } else if (attempt == null) {
        report.notRun(query);
      } else if (attempt.failure != null) {
        report.failed(query, RowNumbers.in(attempt.failure, rows(position)));
      } else {
        Answered answer = Objects.requireNonNull(attempt.answer);
        report.done(query, answer.counting(rows(position)).warnings());
      }
    }
    return report;
  }

  /** How one query ended: exactly one of both is there. */
  private record Attempt(@Nullable Answered answer, @Nullable RuntimeException failure) {

    /** Whether a table that is to go is another one's parent. */
    boolean isReferenced() {
      return failure instanceof ShardException.Database refused
          && REFERENCED.contains(refused.errno());
    }
  }

  /** The queries of one data source: on a thread of its own, or as {@link WriteChain}s. */
  private static final class Part implements Runnable {

    final IdentityHashMap<ShardQuery, Attempt> attempts = new IdentityHashMap<>();
    private final SourceRun run;
    private final PlanNode.Write write;
    private final RowReturn rows;
    private final Cancellation cancellation;

    Part(SourceRun run, PlanNode.Write write, RowReturn rows, Cancellation cancellation) {
      this.run = run;
      this.write = write;
      this.rows = rows;
      this.cancellation = cancellation;
    }

    @Override
    public void run() {
      List<ShardQuery> left = run.queries;
      while (!left.isEmpty()) {
        List<ShardQuery> referenced = run(left);
        left = referenced.size() < left.size() ? referenced : List.of();
        if (!left.isEmpty()) {
          run.forgive();
        }
      }
    }

    /**
     * Runs queries one after the other.
     *
     * @return those that may succeed behind the others: a server that drops several tables at once
     *     drops one together with those that refer to it
     */
    private List<ShardQuery> run(List<ShardQuery> queries) {
      var referenced = new ArrayList<ShardQuery>();
      for (ShardQuery query : queries) {
        if (cancellation.reason() != null) {
          return List.of();
        }
        Attempt attempt = attempt(query);
        attempts.put(query, attempt);
        boolean canGoOn = attempt.failure == null || (!write.atomic() && run.isUsable());
        if (!canGoOn) {
          return List.of();
        }
        if (attempt.isReferenced()) {
          referenced.add(query);
        }
      }
      return referenced;
    }

    /** Whether all has gone well, and goes on. */
    boolean mayBeFollowed() {
      return cancellation.reason() == null
          && attempts.values().stream().allMatch(attempt -> attempt.failure == null);
    }

    /** Begins the first chain. */
    void begin() {
      run.begin(run.queries);
    }

    /** Waits for the end, beginning another chain behind each that has ended early. */
    void finish() {
      int done = 0;
      while (takeReplies(done)) {
        done = attempts.size();
        if (done == run.queries.size() || cancellation.reason() != null) {
          return;
        }
        run.begin(run.queries.subList(done, run.queries.size()));
      }
    }

    /** False where nothing may follow. */
    private boolean takeReplies(int first) {
      int position = first;
      try {
        for (ShardReply reply : run.replies()) {
          ShardQuery query = run.queries.get(position);
          attempts.put(query, new Attempt(run.answered(query, reply), null));
          position++;
        }
        return true;
      } catch (RuntimeException problem) {
        attempts.put(run.queries.get(position), new Attempt(null, run.remember(problem)));
        return false;
      }
    }

    private Attempt attempt(ShardQuery query) {
      try {
        return new Attempt(run.execute(query, rows), null);
      } catch (RuntimeException problem) {
        return new Attempt(null, run.remember(problem));
      }
    }
  }
}
