package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.milliseconds;
import static io.anabranch.frontend.table.VirtualColumn.moment;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.digest.DigestText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.digests}: what was run, by normalised text. */
final class DigestsTable implements VirtualTable {

  private static final List<VirtualColumn> COLUMNS =
      List.of(
          text("database_name", 64),
          text("digest", 32),
          text("digest_text", DigestText.LONGEST),
          number("executions"),
          number("errors"),
          text("errors_by_errno", 1024),
          number("rows_sent"),
          number("rows_affected"),
          milliseconds("total_ms"),
          milliseconds("min_ms"),
          milliseconds("avg_ms"),
          milliseconds("max_ms"),
          milliseconds("p50_ms"),
          milliseconds("p95_ms"),
          milliseconds("p99_ms"),
          milliseconds("plan_ms"),
          milliseconds("lease_ms"),
          milliseconds("run_ms"),
          milliseconds("database_ms"),
          milliseconds("merge_ms"),
          milliseconds("write_ms"),
          text("data_sources", 1024),
          number("relayed"),
          number("merged"),
          number("answered"),
          text("strategies", 255),
          moment("first_seen"),
          moment("last_seen"),
          text("sample_text", DigestText.LONGEST));

  private final Digests digests;

  DigestsTable(Digests digests) {
    this.digests = digests;
  }

  @Override
  public String name() {
    return "digests";
  }

  @Override
  public List<VirtualColumn> columns() {
    return COLUMNS;
  }

  @Override
  public List<List<@Nullable String>> rows() {
    return digests.summaries().stream().map(DigestsTable::row).toList();
  }

  private static List<@Nullable String> row(DigestSummary digest) {
    long executions = digest.executions();
    return Arrays.asList(
        digest.database().isEmpty() ? null : digest.database(),
        digest.hash(),
        digest.text(),
        Cells.number(executions),
        Cells.number(digest.errors()),
        Cells.counts(digest.errorsByErrno()),
        Cells.number(digest.rows()),
        Cells.number(digest.affectedRows()),
        Cells.milliseconds(digest.totalNanos()),
        Cells.milliseconds(digest.minNanos()),
        Cells.milliseconds(executions == 0 ? 0 : digest.totalNanos() / executions),
        Cells.milliseconds(digest.maxNanos()),
        Cells.milliseconds(digest.medianNanos()),
        Cells.milliseconds(digest.p95Nanos()),
        Cells.milliseconds(digest.p99Nanos()),
        Cells.milliseconds(digest.planNanos()),
        Cells.milliseconds(digest.leaseNanos()),
        Cells.milliseconds(digest.runNanos()),
        Cells.milliseconds(digest.databaseNanos()),
        Cells.milliseconds(digest.mergeNanos()),
        Cells.milliseconds(digest.writeNanos()),
        String.join(",", digest.dataSources()),
        Cells.number(digest.relayed()),
        Cells.number(digest.merged()),
        Cells.number(digest.local()),
        String.join(",", digest.strategies()),
        Cells.moment(digest.first()),
        Cells.moment(digest.last()),
        digest.sample());
  }

  @Override
  public boolean clear() {
    digests.clear();
    return true;
  }
}
