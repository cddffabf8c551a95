package io.anabranch.frontend.statementlog;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A statement as one line of JSON. */
final class JsonLine {

  private static final char LAST_CONTROL = 0x1f;

  private final StringBuilder out = new StringBuilder(512);

  private JsonLine() {
    out.append('{');
  }

  /**
   * Without a line feed.
   *
   * @param time when it ended
   * @param text of the statement
   */
  static String of(LoggedStatement statement, String time, String text) {
    var line = new JsonLine();
    line.text("time", time);
    line.number("session", statement.session());
    line.text("user", statement.user());
    if (!statement.login().equals(statement.user())) {
      line.text("login", statement.login());
    }
    line.text("client", statement.client());
    String database = statement.database();
    if (database != null) {
      line.text("database", database);
    }
    line.text("kind", statement.kind().name().toLowerCase(Locale.ROOT));
    line.text("way", statement.lane().name().toLowerCase(Locale.ROOT));
    line.text("data_sources", String.join(",", statement.dataSources()));
    line.times(statement.times());
    line.number("rows_sent", statement.rows());
    line.number("rows_affected", statement.affectedRows());
    line.number("errno", statement.errno());
    String tag = statement.tag();
    if (tag != null) {
      line.text("tag", tag);
    }
    line.explained(statement.explanation());
    line.text("sql_text", text);
    return line.out.append('}').toString();
  }

  private void times(LoggedStatement.Times times) {
    milliseconds("total_ms", times.total());
    milliseconds("plan_ms", times.plan());
    milliseconds("lease_ms", times.lease());
    milliseconds("run_ms", times.run());
    milliseconds("database_ms", times.database());
    milliseconds("merge_ms", times.merge());
    milliseconds("write_ms", times.write());
    name("data_source_ms");
    var sources = new JsonLine();
    times.sources().forEach(sources::milliseconds);
    out.append(sources.out.append('}'));
  }

  private void explained(@Nullable Explanation explanation) {
    if (explanation == null) {
      return;
    }
    name("explain");
    var told = new JsonLine();
    told.text("data_source", explanation.dataSource());
    if (explanation.errno() != 0) {
      told.number("errno", explanation.errno());
    }
    told.name("rows");
    told.out.append('[');
    List<List<@Nullable String>> rows = explanation.rows();
    for (int i = 1; i < rows.size(); i++) {
      told.out.append(i == 1 ? "" : ",").append(row(rows.getFirst(), rows.get(i)));
    }
    out.append(told.out.append("]}"));
  }

  /** Without what is NULL. */
  private static StringBuilder row(List<@Nullable String> names, List<@Nullable String> cells) {
    var row = new JsonLine();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      if (cell != null) {
        row.text(String.valueOf(names.get(i)), cell);
      }
    }
    return row.out.append('}');
  }

  private void name(String name) {
    if (out.length() > 1) {
      out.append(',');
    }
    quoted(name);
    out.append(':');
  }

  private void number(String name, long value) {
    name(name);
    out.append(value);
  }

  private void milliseconds(String name, long nanos) {
    name(name);
    Milliseconds.append(out, nanos);
  }

  private void text(String name, String value) {
    name(name);
    quoted(value);
  }

  private void quoted(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c <= LAST_CONTROL) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
