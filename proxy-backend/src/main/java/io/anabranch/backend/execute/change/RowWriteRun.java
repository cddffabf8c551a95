package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.read.RowReading;
import io.anabranch.backend.execute.rows.RowBatches;
import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.row.RowCells;
import io.anabranch.backend.row.RowPart;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link PlanNode.RowWrite}: reads all rows, then changes the tables. The caller makes it
 * one unit.
 */
final class RowWriteRun {

  private final MergeRequest request;
  private final PlanNode.RowWrite write;
  private final RowReading reading;
  private final RowReturn rows;
  private final @Nullable CheckedRowKeys checked;

  /**
   * @param rows takes what RETURNING gives
   */
  RowWriteRun(MergeRequest request, PlanNode.RowWrite write, RowReading reading, RowReturn rows) {
    this.rows = rows;
    this.request = request;
    this.write = write;
    this.reading = reading;
    this.checked =
        write.check() == null ? null : new CheckedRowKeys(write.check(), reading.budget());
  }

  MergeOutcome.Done run() {
    try (var spool = new RowSpool(request.memory())) {
      List<RowBatches> targets =
          write.targets().stream()
              .map(target -> new RowBatches(target, spool, mayLeaveOut()))
              .toList();
      long count = reading.read(write.rows(), this::checkWidth, row -> add(targets, row));
      if (write.strict()) {
        reading.refuseWarnings();
      }
      if (rows.isWanted()) {
        reading.tellClient();
      }
      var writing = new BatchRun(request, write, spool, write.verb().inserts(), rows);
      var outcomes = new ArrayList<Answered>();
      InsertKeys keys = InsertKeys.AS_TOLD;
      for (int i = 0; i < targets.size(); i++) {
        RowBatches batches = targets.get(i);
        outcomes.addAll(writing.run(batches, write.targets().get(i), write.summing()));
        // of rows that are read servers tell the last that is new, which nobody knows of several
        boolean isKnown = write.idle() == null || count == 1;
        keys = isKnown ? writing.keys() : writing.keys().ofUnknownLast();
      }
      if (checked != null) {
        checked.requireUnique(request.with(write, false));
      }
      if (outcomes.isEmpty() && write.idle() != null) {
        outcomes.add(writing.run(write.idle()));
      }
      return keys.in(
              OutcomeSum.of(
                      outcomes, request.binary(), new ComparedLiterals(write, request.parameters()))
                  .total(write.verb(), count * write.beside()))
          .warnedBefore(reading.warnings(), reading.warningRows())
          .withGeneratedKey(writing.firstKey(), count == 1);
    }
  }

  /** Of what answers with rows nothing but these tells keys. */
  private boolean mayLeaveOut() {
    boolean ignores = write.verb() == PlanNode.Verb.INSERT_IGNORE;
    return !rows.isWanted() && (ignores || write.idle() != null);
  }

  private void add(List<RowBatches> targets, RowCells row) {
    for (RowBatches target : targets) {
      if (write.beside() == 1) {
        add(target, row);
      } else {
        RowPart.of(row, write.beside()).forEach(part -> add(target, part));
      }
    }
  }

  private void add(RowBatches target, RowCells row) {
    target.add(row);
    if (checked != null) {
      checked.add(target.lastNode(), row);
    }
  }

  private void checkWidth(int read) {
    int width = read / write.beside();
    for (RowTarget target : write.targets()) {
      int wanted = target.columns().length;
      boolean made = target.keys() != null && target.keys().column() == wanted - 1;
      if (write.verb().inserts() && width != wanted && !(made && width == wanted - 1)) {
        throw ErrorCatalogue.COLUMN_COUNT.refuse(1);
      }
    }
  }
}
