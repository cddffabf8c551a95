package io.anabranch.backend.execute;

import io.anabranch.rules.plan.FileFormat;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
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
    var row = new FileRow(load.width(), format.columns(), characterSet(format));
    try (var spool = new RowSpool()) {
      var batches = new RowBatches(load.target(), spool);
      request.file().open(load.name());
      var lines = new FileLines(format, request.file()::next);
      for (long skipped = 0; skipped < format.skippedLines() && lines.next() != null; skipped++) {
        // headings
      }
      long records = 0;
      var warnings = new ArrayList<List<String>>();
      int doubtful = 0;
      for (List<FileLines.Field> line = lines.next(); line != null; line = lines.next()) {
        records++;
        String doubt = doubt(line.size(), format.columns().length, records);
        if (!doubt.isEmpty()) {
          doubtful++;
          String code = line.size() < format.columns().length ? "1261" : "1262";
          warnings.add(List.of("Warning", code, doubt));
        }
        batches.add(row.of(line));
      }
      List<Answered> answers =
          new BatchRun(request, load, spool, true, RowReturn.NONE)
              .run(batches, load.target(), load.summing());
      return new OutcomeSum(answers)
          .loaded(records, load.replaces(), doubtful, warnings)
          .withGeneratedKey(batches.firstKey());
    }
  }

  private static String doubt(int fields, int expected, long record) {
    if (fields < expected) {
      return "Row " + record + " doesn't contain data for all columns";
    }
    return fields > expected
        ? "Row " + record + " was truncated; it contained more data than there were input columns"
        : "";
  }

  private String characterSet(FileFormat format) {
    String named = format.charset();
    if (named != null) {
      return named;
    }
    var found = new ArrayList<String>();
    ShardQuery query =
        ShardQuery.text(
            load.target().statements().getFirst().dataSource(),
            "SELECT @@character_set_database".getBytes(StandardCharsets.US_ASCII));
    reading.read(
        new PlanNode.Route(List.of(query), List.of()),
        RowReading.WidthCheck.ANY,
        row -> {
          if (row.value(0) instanceof SqlValue.Text name) {
            found.add(name.value());
          }
        });
    return found.isEmpty() ? "utf8mb4" : found.getFirst();
  }
}
