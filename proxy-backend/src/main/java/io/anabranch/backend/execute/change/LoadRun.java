package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.read.RowReading;
import io.anabranch.backend.execute.rows.FileLines;
import io.anabranch.backend.execute.rows.FileRow;
import io.anabranch.backend.execute.rows.MadeCells;
import io.anabranch.backend.execute.rows.RowBatches;
import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.row.RowCells;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.value.FileCharacters;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a {@link PlanNode.Load}: reads the client's file to its end, then writes. The caller makes
 * it one unit.
 */
final class LoadRun {

  private final MergeRequest request;
  private final PlanNode.Load load;
  private final RowReading reading;

  LoadRun(MergeRequest request, PlanNode.Load load, RowReading reading) {
    this.request = request;
    this.load = load;
    this.reading = reading;
  }

  MergeOutcome.Done run() {
    FileFormat format = load.format();
    FileCharacters charset = charset(format);
    var row = new FileRow(load.blanks(), format.columns(), charset);
    RowCells cells = load.made().isEmpty() ? row : new MadeCells(load, row);
    try (var spool = new RowSpool(request.memory())) {
      var batches = new RowBatches(load.target(), spool, !load.replaces());
      request.file().open(load.name());
      var lines = new FileLines(format, charset, request.file()::next, request.memory());
      for (long skipped = 0; skipped < format.skippedLines() && lines.skipLine() >= 0; skipped++) {
        // headings
      }
      long records = 0;
      var doubts = new LoadDoubts(load, request.memory());
      int most = format.columns().length;
      for (List<FileLines.Field> line = lines.next(most); line != null; line = lines.next(most)) {
        records++;
        doubts.of(line, records);
        row.of(line);
        batches.add(cells);
      }
      var writing = new BatchRun(request, load, spool, true, RowReturn.NONE);
      List<Answered> answers = writing.run(batches, load.target(), load.summing());
      return writing
          .keys()
          .in(
              OutcomeSum.of(answers, false, new ComparedLiterals(load, request.parameters()))
                  .loaded(records, load.replaces(), doubts))
          .withGeneratedKey(writing.firstKey(), false);
    }
  }

  private FileCharacters charset(FileFormat format) {
    FileCharacters named = format.charset();
    if (named != null) {
      return named;
    }
    var found = new ArrayList<String>();
    ShardQuery query =
        ShardQuery.text(
            load.target().statements().getFirst().dataSource(),
            "SELECT @@character_set_database LIMIT 1".getBytes(StandardCharsets.US_ASCII));
    reading.read(
        new PlanNode.Route(List.of(query), List.of()),
        RowReading.WidthCheck.ANY,
        row -> {
          if (row.value(0) instanceof SqlValue.Text name) {
            found.add(name.value());
          }
        });
    return new FileCharacters(found.isEmpty() ? "utf8mb4" : found.getFirst());
  }
}
