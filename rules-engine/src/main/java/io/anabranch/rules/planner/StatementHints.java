package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.Scan;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code key=value} pairs of a {@code /* SHARDINGSPHERE_HINT: … *}{@code /} in front of a
 * statement. Keys are compared without regard to case and underscores.
 */
record StatementHints(Map<String, String> values) {

  StatementHints {
    values = Map.copyOf(values);
  }

  static StatementHints of(Scan scan, Charset charset) {
    if (!scan.hasHint()) {
      return new StatementHints(Map.of());
    }
    String text =
        new String(scan.sql(), scan.hintStart(), scan.hintEnd() - scan.hintStart(), charset);
    Map<String, String> values = new HashMap<>();
    int from = 0;
    while (from <= text.length()) {
      int comma = text.indexOf(',', from);
      int to = comma < 0 ? text.length() : comma;
      int equals = text.indexOf('=', from);
      if (equals >= 0 && equals < to) {
        values.put(key(text.substring(from, equals)), text.substring(equals + 1, to).strip());
      }
      from = to + 1;
    }
    return new StatementHints(values);
  }

  private static String key(String text) {
    return text.strip().replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** {@code WRITE_ROUTE_ONLY}: replicas must not answer. */
  boolean primaryOnly() {
    return Boolean.parseBoolean(values.getOrDefault("writerouteonly", "false"));
  }

  /** {@code DATA_SOURCE_NAME}: the statement goes there as it is; null: no such hint. */
  @Nullable String dataSource() {
    return values.get("datasourcename");
  }
}
