package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Runs a {@link PlanNode.CheckedInsert}. The caller makes each of its ways one unit. */
final class CheckedRun {

  private static final int DUPLICATE = 1062;

  private final MergeRequest request;
  private final PlanNode.CheckedInsert insert;
  private final KeyCheck check;
  private final RowReturn rows;

  CheckedRun(MergeRequest request, PlanNode.CheckedInsert insert, RowReturn rows) {
    this.request = request;
    this.insert = insert;
    this.check = insert.check();
    this.rows = rows;
  }

  /**
   * All rows where they belong.
   *
   * @return null where another node has a key of one of them, so that all is to be undone
   */
  MergeOutcome.@Nullable Done together() {
    MergeOutcome.Done outcome;
    try {
      outcome =
          new WriteRun(
                  request.with(insert.insert(), request.binary()), insert.insert(), false, rows)
              .run();
    } catch (ShardException.Database refused) {
      if (refused.errno() == DUPLICATE) {
        return null;
      }
      throw refused;
    }
    var all = new ArrayList<KeyQuestions.Row>();
    for (int row = 0; row < insert.rows().count(); row++) {
      var conditions = new ArrayList<byte @Nullable []>();
      for (int key = 0; key < check.keys(); key++) {
        conditions.add(check.isShared(key) ? insert.rows().condition(row, key) : null);
      }
      all.add(new KeyQuestions.Row(insert.rows().own(row), conditions));
    }
    boolean found =
        new KeyQuestions(request.with(insert.insert(), false), check).isAnyElsewhere(all);
    return found ? null : outcome;
  }

  /** One row after the other, each where a server would find its key. */
  MergeOutcome.Done oneByOne() {
    var sources = new TreeSet<>(check.dataSources());
    var runs = new SourceRuns(request.with(insert.insert(), request.binary()));
    try {
      Map<String, SourceRun> bySource = new HashMap<>();
      runs.join(sources).forEach(run -> bySource.put(run.endpoint, run));
      var answers = new ArrayList<Answered>();
      for (int row = 0; row < insert.rows().count(); row++) {
        answers.add(write(row, bySource));
      }
      runs.complete();
      rows.take(answers);
      return OutcomeSum.of(
              answers,
              request.binary(),
              new ComparedLiterals(insert.insert(), request.parameters()))
          .total(insert.verb(), answers.size());
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private Answered write(int row, Map<String, SourceRun> bySource) {
    long removed = insert.replaces() ? removed(row, bySource) : 0;
    int node = insert.replaces() ? insert.rows().own(row) : node(row, bySource);
    SourceRun run = at(node, bySource);
    int[] number = {row + 1};
    try {
      Answered answer = run.execute(insert.rows().statement(row, node), rows).counting(number);
      return removed == 0 ? answer : answer.adding(removed);
    } catch (RuntimeException problem) {
      throw RowNumbers.in(run.remember(problem), number);
    }
  }

  /** Rows of other nodes that have a key of the row go, as they would on one server. */
  private long removed(int row, Map<String, SourceRun> bySource) {
    var asked = new ArrayList<byte[]>();
    for (int key = 0; key < check.keys(); key++) {
      byte[] condition = check.isShared(key) ? insert.rows().condition(row, key) : null;
      if (condition != null) {
        asked.add(condition);
      }
    }
    long removed = 0;
    for (int node = 0; node < check.dataSources().size() && !asked.isEmpty(); node++) {
      if (node != insert.rows().own(row)) {
        removed += execute(check.removal(node, asked), at(node, bySource)).affectedRows();
      }
    }
    return removed;
  }

  /** Where the first of the row's keys is, in the order in which servers look; else its own. */
  private int node(int row, Map<String, SourceRun> bySource) {
    int own = insert.rows().own(row);
    for (int key = 0; key < check.keys(); key++) {
      byte[] condition = insert.rows().condition(row, key);
      if (condition == null) {
        continue;
      }
      var found = new ArrayList<Integer>();
      for (int node = 0; node < check.dataSources().size(); node++) {
        boolean asks = check.isShared(key) || node == own;
        if (asks && isThere(check.question(node, List.of(condition)), at(node, bySource))) {
          found.add(node);
        }
      }
      if (insert.updates() && found.size() > 1) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "ON DUPLICATE KEY UPDATE of a row whose unique key several nodes have",
            "look for duplicates by CHECK TABLE … ACROSS SHARDS, and remove them");
      }
      if (!found.isEmpty()) {
        return found.contains(own) ? own : found.getFirst();
      }
    }
    return own;
  }

  private SourceRun at(int node, Map<String, SourceRun> bySource) {
    return Objects.requireNonNull(bySource.get(check.dataSources().get(node)));
  }

  private static boolean isThere(ShardQuery question, SourceRun run) {
    return !run.ask(question).isEmpty();
  }

  private static ShardOutcome execute(ShardQuery query, SourceRun run) {
    try {
      return run.execute(query).outcome();
    } catch (RuntimeException problem) {
      throw run.remember(problem);
    }
  }
}
