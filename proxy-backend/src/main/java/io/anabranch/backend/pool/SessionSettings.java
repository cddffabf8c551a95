package io.anabranch.backend.pool;

import io.anabranch.protocol.type.Collation;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a client's session that a backend connection must have before it runs the client's
 * statement. Immutable; sessions replace it, connections remember the one applied last, and the
 * difference is replayed in front of the next statement, in the same packet train.
 */
public final class SessionSettings {

  /** What decides how a server reads a text, besides the collation of SET NAMES. */
  private static final Set<String> READING =
      Set.of(
          "sql_mode", "character_set_client", "character_set_connection", "collation_connection");

  private static final List<String> READ_ONLY = List.of("tx_read_only", "transaction_read_only");

  /** What a fresh connection has. */
  public static final SessionSettings INITIAL = new SessionSettings(0, Map.of());

  private final int collation;
  private final Map<String, String> variables;
  private final int hash;
  private final SessionSettings reading;

  /**
   * @param collation id that {@code SET NAMES … COLLATE} gives; 0 leaves the connection's own;
   *     negative: that of a collation in the character set that {@code SET NAMES} gives without
   *     COLLATE
   * @param variables session variables by lower-case name ({@code sql_mode}) or user variables
   *     ({@code @name}) to the SQL text of the value; those absent have the connection's initial
   *     value
   */
  public SessionSettings(int collation, Map<String, String> variables) {
    this.collation = collation;
    this.variables = Collections.unmodifiableMap(new TreeMap<>(variables));
    this.hash = 31 * collation + this.variables.hashCode();
    this.reading =
        READING.containsAll(variables.keySet())
            ? this
            : new SessionSettings(collation, only(variables));
  }

  private static Map<String, String> only(Map<String, String> variables) {
    var kept = new TreeMap<>(variables);
    kept.keySet().retainAll(READING);
    return kept;
  }

  public int collation() {
    return collation;
  }

  /** In the order of their names. */
  public Map<String, String> variables() {
    return variables;
  }

  /** Those alone that decide how a server reads a text: character sets and {@code sql_mode}. */
  public SessionSettings reading() {
    return reading;
  }

  /**
   * The character set that names and errors in answers are in; bytes as they are if Java lacks it.
   */
  public Charset resultCharset() {
    String results = variables.get("character_set_results");
    Collation collated =
        results == null
            ? Collation.byId(Math.abs(collation))
            : Collation.defaultOf(results.replace("'", ""));
    if (collated == null) {
      return StandardCharsets.UTF_8;
    }
    Charset charset = collated.charset();
    return charset == null ? StandardCharsets.ISO_8859_1 : charset;
  }

  /** These settings, with texts read as under others. */
  public SessionSettings readingAs(SessionSettings other) {
    var changed = new TreeMap<>(variables);
    changed.keySet().removeAll(READING);
    changed.putAll(other.reading.variables);
    return new SessionSettings(other.collation, changed);
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

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof SessionSettings same
            && hash == same.hash
            && collation == same.collation
            && variables.equals(same.variables));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
