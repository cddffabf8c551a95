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
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.value.FileCharacters;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link PlanNode.Load}: reads the client's file to its end, then writes. The caller makes
 * it one unit.
 */
final class LoadRun {

  /** As many as max_error_count can say; the others are counted. */
  private static final int MOST_WARNINGS = 65_535;

  /** About what one takes. */
  private static final int WARNING_BYTES = 300;

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
    var row = new FileRow(load.missing(), format.columns(), charset);
    RowCells cells = load.made().isEmpty() ? row : new MadeCells(load, row);
    try (var spool = new RowSpool(request.memory())) {
      var batches = new RowBatches(load.target(), spool);
      request.file().open(load.name());
      var lines = new FileLines(format, charset, request.file()::next, request.memory());
      for (long skipped = 0; skipped < format.skippedLines() && lines.skipLine() >= 0; skipped++) {
        // headings
      }
      long records = 0;
      var warnings = new ArrayList<OutcomeSum.Numbered>();
      int doubtful = 0;
      int most = format.columns().length;
      for (List<FileLines.Field> line = lines.next(most); line != null; line = lines.next(most)) {
        records++;
        ErrorCatalogue doubt = doubt(line.size());
        if (doubt != null) {
          RefusedException told = doubt.refuse(records);
          if (load.strict()) {
            throw told;
          }
          int times = Math.max(1, missing(line.size()));
          doubtful += times;
          for (int i = 0; i < times; i++) {
            if (warnings.size() < MOST_WARNINGS && request.memory().tryHold(WARNING_BYTES)) {
              warnings.add(warned(told, records));
            }
          }
        }
        row.of(line);
        batches.add(cells);
      }
      var writing = new BatchRun(request, load, spool, true, RowReturn.NONE);
      List<Answered> answers = writing.run(batches, load.target(), load.summing());
      return writing
          .keys()
          .in(
              OutcomeSum.of(answers, false, new ComparedLiterals(load, request.parameters()))
                  .loaded(records, load.replaces(), doubtful, warnings))
          .withGeneratedKey(batches.firstKey(), false);
    }
  }

  private static OutcomeSum.Numbered warned(RefusedException told, long record) {
    return new OutcomeSum.Numbered(
        Math.toIntExact(record),
        List.of("Warning", Integer.toString(told.errno()), String.valueOf(told.getMessage())));
  }

  private @Nullable ErrorCatalogue doubt(int fields) {
    if (missing(fields) > 0) {
      return ErrorCatalogue.TOO_FEW_FIELDS;
    }
    return fields > load.format().columns().length ? ErrorCatalogue.TOO_MANY_FIELDS : null;
  }

  /** Servers warn once a column; fields that are missing for variables are NULL without a word. */
  private int missing(int fields) {
    int[] columns = load.format().columns();
    int missing = 0;
    for (int field = fields; field < columns.length; field++) {
      missing += columns[field] >= 0 && columns[field] < load.width() ? 1 : 0;
    }
    return missing;
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
