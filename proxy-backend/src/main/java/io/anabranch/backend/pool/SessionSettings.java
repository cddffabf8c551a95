package io.anabranch.backend.pool;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a client's session that a backend connection must have before it runs the client's
 * statement. Immutable; sessions replace it, connections remember the one applied last, and the
 * difference is replayed in front of the next statement, in the same packet train.
 *
 * @param collation id that {@code SET NAMES … COLLATE} gives; 0 leaves the connection's own; negative:
 *     that of a collation in the character set that {@code SET NAMES} gives without COLLATE
 * @param variables session variables by lower-case name ({@code sql_mode}) or user variables ({@code
 *     @name}) to the SQL text of the value; those absent have the connection's initial value
 */
public record SessionSettings(int collation, Map<String, String> variables) {

  /** What a fresh connection has. */
  public static final SessionSettings INITIAL = new SessionSettings(0, Map.of());

  private static final List<String> READ_ONLY = List.of("tx_read_only", "transaction_read_only");

  public SessionSettings {
    variables = java.util.Collections.unmodifiableMap(new TreeMap<>(variables));
  }

  /** Whether transactions that do not say what they do are READ ONLY. */
  public boolean isReadOnly() {
    for (String name : READ_ONLY) {
      String value = variables.get(name);
      if (value != null) {
        return value.equals("1") || value.equalsIgnoreCase("'ON'");
      }
    }
    return false;
  }

  public SessionSettings withCollation(int id) {
    return new SessionSettings(id, variables);
  }

  public SessionSettings with(String name, String value) {
    var changed = new TreeMap<>(variables);
    changed.put(name, value);
    return new SessionSettings(collation, changed);
  }
}
