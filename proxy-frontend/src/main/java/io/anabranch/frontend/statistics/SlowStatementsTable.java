package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.milliseconds;
import static io.anabranch.frontend.table.VirtualColumn.moment;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.frontend.statementlog.Explanation;
import io.anabranch.frontend.statementlog.LoggedStatement;
import io.anabranch.frontend.statementlog.RecentStatements;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.slow_statements}: the last ones that took long. */
final class SlowStatementsTable implements VirtualTable {

  private static final int LONGEST_TEXT = 65_536;

  private static final List<VirtualColumn> COLUMNS =
      List.of(
          moment("ended_at"),
          number("session_id"),
          text("user", 128),
          text("client", 255),
          text("database_name", 64),
          text("kind", 32),
          text("way", 8),
          text("data_sources", 1024),
          milliseconds("total_ms"),
          milliseconds("plan_ms"),
          milliseconds("lease_ms"),
          milliseconds("run_ms"),
          milliseconds("database_ms"),
          milliseconds("merge_ms"),
          milliseconds("write_ms"),
          text("data_source_ms", 4096),
          number("rows_sent"),
          number("rows_affected"),
          number("errno"),
          text("tag", 64),
          text("explained_by", 64),
          text("explanation", LONGEST_TEXT),
          text("sql_text", LONGEST_TEXT));

  private final RecentStatements statements;

  SlowStatementsTable(RecentStatements statements) {
    this.statements = statements;
  }

  @Override
  public String name() {
    return "slow_statements";
  }

  @Override
  public List<VirtualColumn> columns() {
    return COLUMNS;
  }

  @Override
  public List<List<@Nullable String>> rows() {
    return statements.all().stream().map(SlowStatementsTable::row).toList();
  }

  private static List<@Nullable String> row(LoggedStatement statement) {
    Explanation explanation = statement.explanation();
    return Arrays.asList(
        Cells.moment(Instant.ofEpochMilli(statement.ended())),
        Cells.number(statement.session()),
        statement.user(),
        statement.client(),
        statement.database(),
        statement.kind().name().toLowerCase(Locale.ROOT),
        statement.lane().name().toLowerCase(Locale.ROOT),
        String.join(",", statement.dataSources()),
        Cells.milliseconds(statement.times().total()),
        Cells.milliseconds(statement.times().plan()),
        Cells.milliseconds(statement.times().lease()),
        Cells.milliseconds(statement.times().run()),
        Cells.milliseconds(statement.times().database()),
        Cells.milliseconds(statement.times().merge()),
        Cells.milliseconds(statement.times().write()),
        Cells.times(statement.times().sources()),
        Cells.number(statement.rows()),
        Cells.number(statement.affectedRows()),
        Cells.number(statement.errno()),
        statement.tag(),
        explanation == null ? null : explanation.dataSource(),
        explanation == null ? null : explanation.text(),
        statement.text());
  }

  @Override
  public boolean clear() {
    statements.clear();
    return true;
  }
}
