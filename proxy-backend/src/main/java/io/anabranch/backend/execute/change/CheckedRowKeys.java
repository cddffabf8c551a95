package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowCells;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The unique keys of rows that a statement has read and written. Used by the thread that reads. */
final class CheckedRowKeys {

  private final KeyCheck check;
  private final RowBudget budget;
  private final List<KeyQuestions.Row> rows = new ArrayList<>();

  /**
   * @param budget takes the keys, which are held
   */
  CheckedRowKeys(KeyCheck check, RowBudget budget) {
    this.check = check;
    this.budget = budget;
  }

  /**
   * @param node where the row goes
   */
  void add(int node, RowCells row) {
    List<byte @Nullable []> conditions = KeyQuestions.conditions(check, row::value);
    for (byte[] condition : conditions) {
      if (condition != null) {
        budget.hold("the unique keys of the rows of this statement", condition);
      }
    }
    rows.add(new KeyQuestions.Row(node, conditions));
  }

  /**
   * Looks for the keys on the other nodes.
   *
   * @throws io.anabranch.rules.error.RefusedException if one is there: the statement is to be
   *     undone
   */
  void requireUnique(MergeRequest request) {
    var questions = new KeyQuestions(request, check);
    if (!questions.isAnyElsewhere(rows)) {
      return;
    }
    if (!check.isPlain()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "IGNORE, REPLACE or ON DUPLICATE KEY UPDATE of rows that a query gives, where another"
              + " node has a unique key of one of them,",
          "read the rows first, and write them as VALUES");
    }
    for (KeyQuestions.Row row : rows) {
      for (int key = 0; key < check.keys(); key++) {
        byte[] condition = row.conditions().get(key);
        for (int node = 0; node < check.dataSources().size() && condition != null; node++) {
          String entry =
              node == row.node() ? null : entry(request, check.entry(node, key, condition));
          if (entry != null) {
            throw ErrorCatalogue.DUPLICATE_KEY.refuse(entry, check.name(key));
          }
        }
      }
    }
    throw ErrorCatalogue.NOT_EXACT.refuse(
        "a statement whose rows have unique keys of other nodes that are gone by now",
        "run it again");
  }

  private static @Nullable String entry(MergeRequest request, ShardQuery question) {
    var runs = new SourceRuns(request);
    try {
      String entry = null;
      for (SourceRun run : runs.prepare(List.of(question))) {
        for (byte[] row : run.ask(question)) {
          var reader = new TextRowReader(1);
          reader.read(row);
          entry = new String(row, reader.offset(0), reader.length(0), StandardCharsets.UTF_8);
        }
      }
      runs.complete();
      return entry;
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }
}
