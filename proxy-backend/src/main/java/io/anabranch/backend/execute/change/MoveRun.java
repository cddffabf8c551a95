package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.read.RowReading;
import io.anabranch.backend.execute.rows.RowBatches;
import io.anabranch.backend.execute.rows.RowBatches.Batch;
import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import java.util.List;

/** Runs a {@link PlanNode.Move}. The caller makes it one unit. */
final class MoveRun {

  private final MergeRequest request;
  private final PlanNode.Move move;
  private final RowReading reading;

  MoveRun(MergeRequest request, PlanNode.Move move, RowReading reading) {
    this.request = request;
    this.move = move;
    this.reading = reading;
  }

  MergeOutcome.Done run() {
    try (var spool = new RowSpool(request.memory())) {
      var selections = new RowBatches(move.selection(), spool);
      var passed = new PassedRows(move.passing(), spool);
      long read =
          reading.read(
              move.values(),
              RowReading.WidthCheck.ANY,
              values -> {
                move.check().node(values::value);
                passed.add(values::value);
                if (selections.isNew(values)) {
                  move.nodes().forEach(node -> selections.add(values, node));
                }
              });
      passed.check();
      MergeOutcome.Done outcome =
          new WriteRun(
                  request.with(move.update(), request.binary()),
                  move.update(),
                  false,
                  RowReturn.NONE)
              .run();
      requireSameRows(read, outcome);
      move(selections, spool);
      return outcome;
    }
  }

  /**
   * READ COMMITTED locks the rows that were read, not the places where others may come: the values
   * of a row that came in between are not known, and it would stay where it does not belong. Where
   * all rows get the same, one that was read tells it.
   */
  private void requireSameRows(long read, MergeOutcome.Done update) {
    long matched = OutcomeSum.matched(update.info());
    boolean areKnown = matched == read || (move.isSame() && read > 0);
    if (matched >= 0 && !areKnown) {
      throw ErrorCatalogue.DEADLOCK.refuse();
    }
  }

  /** Rows that have new values and are in the wrong place leave it and come to the right one. */
  private void move(RowBatches selections, RowSpool spool) {
    var deletions = new RowBatches(move.deletion(), spool);
    var insertions = new RowBatches(move.insertion(), spool);
    for (List<Batch> ofSource : selections.finish().values()) {
      for (Batch batch : ofSource) {
        int from = move.selection().statements().indexOf(batch.around());
        var route = new PlanNode.Route(List.of(batch.query(spool)), List.of());
        reading.read(
            route,
            RowReading.WidthCheck.ANY,
            row -> {
              int to = move.insertion().placer().node(row::value);
              if (to != from) {
                move.requireLeaving();
                deletions.add(row, from);
                insertions.add(row, to);
              }
            });
      }
    }
    var writing = new BatchRun(request, move, spool, false, RowReturn.NONE);
    writing.run(deletions, move.deletion(), Summing.SUM);
    writing.run(insertions, move.insertion(), Summing.SUM);
  }
}
