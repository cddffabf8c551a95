package io.anabranch.rules.task;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.HintValues;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code key=value} pairs of a {@code /* SHARDINGSPHERE_HINT: … *}{@code /} in front of a
 * statement. Keys are compared without regard to case and underscores. They are part of the normal
 * form: the same statement with other hints is another plan.
 */
public record StatementHints(Map<String, String> values) {

  /** As they are written. */
  public static final String NAMES =
      "DATA_SOURCE_NAME, WRITE_ROUTE_ONLY, DISABLE_AUDIT_NAMES, SHARDING_DATABASE_VALUE,"
          + " SHARDING_TABLE_VALUE, SHADOW";

  private static final String DATA_SOURCE = "datasourcename";
  private static final String PRIMARY_ONLY = "writerouteonly";
  private static final String NO_AUDIT = "disableauditnames";

  private static final String SHADOW = "shadow";
  private static final String DATABASE_VALUE = "shardingdatabasevalue";
  private static final String TABLE_VALUE = "shardingtablevalue";

  private static final Set<String> KNOWN =
      Set.of(DATA_SOURCE, PRIMARY_ONLY, NO_AUDIT, DATABASE_VALUE, TABLE_VALUE, SHADOW);

  /** Without them the statement would go somewhere else than its client wants. */
  private static final Set<String> REFUSED = Set.of("skipsqlrewrite");

  public StatementHints {
    values = Map.copyOf(values);
  }

  public static StatementHints of(Scan scan, Charset charset) {
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

  /** Underscores belong to the name of a table, not to that of a key. */
  private static String key(String text) {
    String key = text.strip().toLowerCase(Locale.ROOT);
    int name = key.lastIndexOf('.') + 1;
    return key.substring(0, name) + key.substring(name).replace("_", "");
  }

  /**
   * Hints that this user may not use, and those that would change the answer if they did anything.
   *
   * @param granted guarded keys that the user may use
   * @throws io.anabranch.rules.error.RefusedException 1227, AB2002
   */
  public void check(Set<String> granted) {
    for (String key : values.keySet()) {
      if (Authority.User.GUARDED_HINTS.contains(key) && !granted.contains(key)) {
        throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("HINT DATA_SOURCE_NAME");
      }
      if (REFUSED.contains(key) && Boolean.parseBoolean(values.get(key))) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse("the hint SKIP_SQL_REWRITE", "take it away");
      }
    }
  }

  /** Keys without effect: unknown ones, and those of ShardingSphere that are not supported. */
  public Set<String> unknown() {
    var unknown = new TreeSet<String>();
    for (String key : values.keySet()) {
      String name = key.substring(key.lastIndexOf('.') + 1);
      if (!KNOWN.contains(name) && !REFUSED.contains(name)) {
        unknown.add(key);
      }
    }
    return unknown;
  }

  /** {@code WRITE_ROUTE_ONLY}: replicas must not answer. */
  public boolean primaryOnly() {
    return Boolean.parseBoolean(values.getOrDefault(PRIMARY_ONLY, "false"));
  }

  /** {@code SHADOW}: the statement is one of a load test. */
  public boolean shadow() {
    return Boolean.parseBoolean(values.getOrDefault(SHADOW, "false"));
  }

  /** {@code DATA_SOURCE_NAME}: the statement goes there as it is; null: no such hint. */
  public @Nullable String dataSource() {
    return values.get(DATA_SOURCE);
  }

  /** {@code DISABLE_AUDIT_NAMES}: auditors that the statement does not want, as written. */
  public Set<String> disabledAuditors() {
    var names = new HashSet<String>();
    for (String name : values.getOrDefault(NO_AUDIT, "").split("\\s+", -1)) {
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * What the hint strategies of a table are told: {@code t.SHARDING_TABLE_VALUE} before {@code
   * SHARDING_TABLE_VALUE}.
   */
  public HintValues forTable(ShardedTable table) {
    return values.isEmpty()
        ? HintValues.NONE
        : new HintValues(value(table, DATABASE_VALUE), value(table, TABLE_VALUE));
  }

  private List<SqlValue> value(ShardedTable table, String key) {
    String own = values.get(table.name().toLowerCase(Locale.ROOT) + "." + key);
    String text = own == null ? values.get(key) : own;
    return text == null ? List.of() : List.of(comparable(text));
  }

  private static SqlValue comparable(String text) {
    return text.matches("[-+]?[0-9]{1,18}")
        ? new SqlValue.Int(Long.parseLong(text))
        : new SqlValue.Text(text);
  }

  /** Where a statement with DATA_SOURCE_NAME may go: groups, and any one server. */
  public static Set<String> dataSources(LogicalDatabase database) {
    var names = new LinkedHashSet<>(database.endpoints());
    names.addAll(database.dataSources().keySet());
    return names;
  }
}
