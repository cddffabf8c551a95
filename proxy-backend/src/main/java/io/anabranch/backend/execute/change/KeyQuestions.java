package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.Parallel;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Asks the nodes of a table whether they have keys of rows that lie on others. */
final class KeyQuestions {

  private static final int MOST_ROWS = 500;

  /**
   * @param node where it lies
   * @param conditions by key; null where there is nothing to ask
   */
  record Row(int node, List<byte @Nullable []> conditions) {}

  private final MergeRequest request;
  private final KeyCheck check;

  KeyQuestions(MergeRequest request, KeyCheck check) {
    this.request = request;
    this.check = check;
  }

  /** The conditions of a row. */
  static List<byte @Nullable []> conditions(KeyCheck check, IntFunction<SqlValue> values) {
    var conditions = new ArrayList<byte @Nullable []>();
    for (int key = 0; key < check.keys(); key++) {
      conditions.add(check.isShared(key) ? check.condition(key, values) : null);
    }
    return conditions;
  }

  /** Whether another node has a key of one of the rows. */
  boolean isAnyElsewhere(List<Row> rows) {
    for (int from = 0; from < rows.size(); from += MOST_ROWS) {
      if (isOneElsewhere(rows.subList(from, Math.min(rows.size(), from + MOST_ROWS)))) {
        return true;
      }
    }
    return false;
  }

  private boolean isOneElsewhere(List<Row> rows) {
    List<ShardQuery> questions = questions(rows);
    if (questions.isEmpty()) {
      return false;
    }
    var sources = new TreeSet<String>();
    questions.forEach(question -> sources.add(question.dataSource()));
    var runs = new SourceRuns(request);
    var found = new AtomicBoolean();
    try {
      var parts = new ArrayList<Part>();
      for (SourceRun run : runs.join(sources)) {
        parts.add(
            new Part(
                run,
                questions.stream().filter(one -> one.dataSource().equals(run.endpoint)).toList(),
                found));
      }
      Parallel.run(parts);
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
      }
      runs.complete();
      return found.get();
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  /** One per node and key, so that each is found by its index. */
  private List<ShardQuery> questions(List<Row> rows) {
    var questions = new ArrayList<ShardQuery>();
    for (int node = 0; node < check.dataSources().size(); node++) {
      for (int key = 0; key < check.keys(); key++) {
        var conditions = new ArrayList<byte[]>();
        for (Row row : rows) {
          byte[] condition = row.conditions().get(key);
          if (condition != null && row.node() != node && check.isShared(key)) {
            conditions.add(condition);
          }
        }
        if (!conditions.isEmpty()) {
          questions.add(check.question(node, conditions));
        }
      }
    }
    return questions;
  }

  /** The questions to one data source, on a thread of its own. */
  private static final class Part implements Runnable {

    final SourceRun run;
    @Nullable RuntimeException failure;
    private final List<ShardQuery> questions;
    private final AtomicBoolean found;

    Part(SourceRun run, List<ShardQuery> questions, AtomicBoolean found) {
      this.run = run;
      this.questions = questions;
      this.found = found;
    }

    @Override
    public void run() {
      try {
        for (ShardQuery question : questions) {
          if (found.get()) {
            return;
          }
          if (!run.ask(question).isEmpty()) {
            found.set(true);
          }
        }
      } catch (RuntimeException problem) {
        failure = run.remember(problem);
      }
    }
  }
}
