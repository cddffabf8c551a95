package io.anabranch.frontend.statementlog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A statement as MySQL's slow log has it, so that programs that read that one ({@code
 * mysqldumpslow}, {@code pt-query-digest}) read this one: <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/slow-query-log.html">the slow query log</a>. What
 * only a proxy knows is behind what servers tell, on a line that those programs pass over. Times
 * are in seconds.
 */
final class SlowLogEntry {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MILLIS_PER_SECOND = 1000;

  private final StringBuilder out = new StringBuilder(512);

  private SlowLogEntry() {}

  /**
   * Several lines, without a line feed behind the last.
   *
   * @param text of the statement
   */
  static String of(LoggedStatement statement, String text) {
    var entry = new SlowLogEntry();
    entry.header(statement);
    entry.measured(statement, statement.times());
    entry.explained(statement.explanation());
    if (statement.database() != null) {
      entry.out.append("use ").append(statement.database()).append(";\n");
    }
    long second = Math.floorDiv(statement.ended(), MILLIS_PER_SECOND);
    entry.out.append("SET timestamp=").append(second).append(";\n");
    // a line of the text is not to be taken for one of the log
    return entry.out.append(text.replace("\n#", "\n #")).append(';').toString();
  }

  private void header(LoggedStatement statement) {
    String client = statement.client();
    int port = client.lastIndexOf(':');
    out.append("# User@Host: ").append(statement.user()).append('[').append(statement.login());
    out.append("] @  [").append(port < 0 ? client : client.substring(0, port)).append(']');
    out.append("  Id: ").append(statement.session()).append('\n');
  }

  private void measured(LoggedStatement statement, LoggedStatement.Times times) {
    out.append("# Query_time: ").append(seconds(times.total()));
    item("Lock_time", seconds(0));
    item("Rows_sent", Long.toString(statement.rows()));
    item("Rows_examined", "0");
    item("Rows_affected", Long.toString(statement.affectedRows()));
    item("Errno", Integer.toString(statement.errno()));
    item("Plan_time", seconds(times.plan()));
    item("Lease_time", seconds(times.lease()));
    item("Database_time", seconds(times.database()));
    item("Merge_time", seconds(times.merge()));
    item("Write_time", seconds(times.write()));
    times.sources().forEach((source, nanos) -> item(source + "_time", seconds(nanos)));
    item("Way", statement.lane().name().toLowerCase(Locale.ROOT));
    if (statement.tag() != null) {
      item("Tag", statement.tag());
    }
    out.append('\n');
  }

  /** As MariaDB writes it with {@code log_slow_verbosity=explain}. */
  private void explained(@Nullable Explanation explanation) {
    if (explanation != null) {
      out.append("# Explained_by: ").append(explanation.dataSource()).append('\n');
      for (String line : explanation.lines()) {
        out.append("# explain: ").append(line).append('\n');
      }
    }
  }

  private void item(String name, String value) {
    out.append("  ").append(name).append(": ").append(value);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.6f", nanos / NANOS_PER_SECOND);
  }
}
