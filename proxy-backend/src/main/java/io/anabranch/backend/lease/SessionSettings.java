package io.anabranch.backend.lease;

import io.anabranch.protocol.type.Collation;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a client's session that a backend connection must have before it runs the client's
 * statement. Immutable; sessions replace it, connections remember the one applied last, and the
 * difference is replayed in front of the next statement, in the same packet train.
 */
public final class SessionSettings {

  /** What decides how a server reads a text, besides the collation of SET NAMES. */
  private static final Set<String> TEXTUAL =
      Set.of(
          "sql_mode", "character_set_client", "character_set_connection", "collation_connection");

  /** All that counts as it was when a statement was prepared. */
  private static final Set<String> READING = reading(TEXTUAL, ResolvedVariable.names());

  /**
   * What decides nothing that a server keeps of a prepared statement. Whatever is not in this list
   * may be kept, in the statement or in what the server has told of its columns.
   */
  private static final Set<String> NOT_KEPT =
      Set.of(
          "autocommit",
          "check_constraint_checks",
          "completion_type",
          "foreign_key_checks",
          "innodb_lock_wait_timeout",
          "insert_id",
          "interactive_timeout",
          "last_insert_id",
          "lock_wait_timeout",
          "max_error_count",
          "max_execution_time",
          "max_statement_time",
          "net_read_timeout",
          "net_write_timeout",
          "profiling",
          "rand_seed1",
          "rand_seed2",
          "sql_log_bin",
          "sql_notes",
          "sql_warnings",
          "timestamp",
          "transaction_isolation",
          "transaction_read_only",
          "tx_isolation",
          "tx_read_only",
          "unique_checks",
          "wait_timeout");

  /** Characters of names and values that are not worth counting. */
  private static final int LIGHT = 4096;

  /** Kept, joined into a text, and as the bytes of a packet. */
  private static final int FORMS = 3;

  /** No value: no session can have this text. */
  private static final String FORGOTTEN = "";

  /** There is a character set and a collation of each. */
  private static final List<String> PAIRED = List.of("connection", "database", "server");

  private static final List<String> READ_ONLY = List.of("tx_read_only", "transaction_read_only");

  private static final List<String> ISOLATION = List.of("tx_isolation", "transaction_isolation");

  /** Names of one variable each: MySQL's and MariaDB's of all versions. */
  private static final List<List<String>> SYNONYMS =
      List.of(
          ISOLATION,
          READ_ONLY,
          List.of("storage_engine", "default_storage_engine"),
          List.of("tmp_table_size", "tmp_memory_table_size"),
          List.of("slow_query_log", "log_slow_query"),
          List.of("long_query_time", "log_slow_query_time"),
          List.of("min_examined_row_limit", "log_slow_min_examined_row_limit"),
          List.of("alter_algorithm", "old_alter_table"),
          List.of("wsrep_causal_reads", "wsrep_sync_wait"),
          List.of("pseudo_slave_mode", "pseudo_replica_mode"));

  /** What sets another variable as well, which may be set otherwise later. */
  private static final String SIZE = "max_join_size";

  private static final String SET_BY_SIZE = "sql_big_selects";

  /** What a fresh connection has. */
  public static final SessionSettings INITIAL = new SessionSettings(0, Map.of());

  private final int collation;
  private final Map<String, String> variables;
  private final Map<String, VariableValue> userVariables;
  private final int hash;
  private final SessionSettings reading;
  private final SessionSettings preparing;
  private final long weight;

  /**
   * @param collation id that {@code SET NAMES … COLLATE} gives; 0 leaves the connection's own;
   *     negative: that of a collation in the character set that {@code SET NAMES} gives without
   *     COLLATE
   * @param variables session variables by lower-case name ({@code sql_mode}) to the SQL text of the
   *     value; those absent have the connection's initial value
   */
  public SessionSettings(int collation, Map<String, String> variables) {
    this(collation, variables, Map.of());
  }

  /**
   * @param userVariables by name as it is written, {@code @`name`}
   */
  private SessionSettings(
      int collation, Map<String, String> variables, Map<String, VariableValue> userVariables) {
    this.collation = collation;
    var sorted = new TreeMap<>(variables);
    this.variables = Collections.unmodifiableSortedMap(sorted);
    this.userVariables = Collections.unmodifiableSortedMap(new TreeMap<>(userVariables));
    this.hash = 31 * (31 * collation + sorted.hashCode()) + userVariables.hashCode();
    boolean isSystems = userVariables.isEmpty();
    this.reading =
        isSystems && READING.containsAll(sorted.keySet())
            ? this
            : new SessionSettings(collation, only(sorted));
    this.preparing =
        isSystems && mayBeKept(sorted) ? this : new SessionSettings(collation, kept(sorted));
    this.weight = weigh(this.variables, this.userVariables);
  }

  private static Set<String> reading(Set<String> textual, Set<String> resolved) {
    var all = new HashSet<>(textual);
    all.addAll(resolved);
    return Set.copyOf(all);
  }

  private static long weigh(
      Map<String, String> variables, Map<String, VariableValue> userVariables) {
    long length = 0;
    for (Map.Entry<String, VariableValue> each : userVariables.entrySet()) {
      length += each.getKey().length() + (long) each.getValue().length();
    }
    for (Map.Entry<String, String> each : variables.entrySet()) {
      length += each.getKey().length() + (long) each.getValue().length();
    }
    return length <= LIGHT ? 0 : FORMS * length;
  }

  /**
   * About what they cost to keep and to be told to connections, in bytes; 0: not worth counting.
   */
  public long weight() {
    return weight;
  }

  /**
   * What a connection has where nobody knows the values of some: they differ from all others.
   *
   * @param names of variables, as in {@link #variables} and {@link #userVariables}
   */
  public SessionSettings unknown(Collection<String> names) {
    var changed = new TreeMap<>(variables);
    var changedUsers = new TreeMap<>(userVariables);
    for (String name : names) {
      if (name.startsWith("@")) {
        changedUsers.put(name, new VariableValue.Forgotten());
      } else {
        assign(changed, name, FORGOTTEN);
      }
    }
    return new SessionSettings(collation, changed, changedUsers);
  }

  /**
   * The same for whoever keeps them without need: values are left out where they are long, and
   * differ from all others.
   */
  public SessionSettings lightened() {
    if (weight == 0) {
      return this;
    }
    var light = new TreeMap<>(variables);
    light.replaceAll((_, value) -> value.length() > LIGHT ? FORGOTTEN : value);
    var lightUsers = new TreeMap<>(userVariables);
    lightUsers.replaceAll(
        (_, value) -> value.length() > LIGHT ? new VariableValue.Forgotten() : value);
    return new SessionSettings(collation, light, lightUsers);
  }

  private static Map<String, String> only(SortedMap<String, String> variables) {
    var kept = new TreeMap<>(variables);
    kept.keySet().retainAll(READING);
    return kept;
  }

  private static boolean mayBeKept(Map<String, String> variables) {
    for (String name : variables.keySet()) {
      if (!mayBeKept(name)) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBeKept(String name) {
    return !name.startsWith("session_track_") && !NOT_KEPT.contains(name);
  }

  private static Map<String, String> kept(SortedMap<String, String> variables) {
    var kept = new TreeMap<>(variables);
    kept.keySet().removeIf(name -> !mayBeKept(name));
    return kept;
  }

  public int collation() {
    return collation;
  }

  /** The system's, in the order of their names. */
  public Map<String, String> variables() {
    return variables;
  }

  /** The session's own by name as it is written, {@code @`name`}, in the order of their names. */
  public Map<String, VariableValue> userVariables() {
    return userVariables;
  }

  /**
   * Those alone that count as they were when a statement was prepared: character sets and {@code
   * sql_mode}, by which a server reads the text, and {@link ResolvedVariable}.
   */
  public SessionSettings reading() {
    return reading;
  }

  /**
   * Those alone that a server may keep with a statement that it prepares: character sets, those of
   * results included, {@code sql_mode}, {@code time_zone}, {@code div_precision_increment} and all
   * others that are not known to be asked anew with each execution.
   */
  public SessionSettings preparing() {
    return preparing;
  }

  /** What databases call the character set of answers; {@code NULL}: each text is in its own. */
  public String resultCharacterSet() {
    String results = variables.get("character_set_results");
    if (results != null) {
      return results.replace("'", "");
    }
    Collation collated = Collation.byId(Math.abs(collation));
    return collated == null ? "utf8mb4" : collated.characterSet();
  }

  /**
   * The character set that names and errors in answers are in; bytes as they are if Java lacks it.
   */
  public Charset resultCharset() {
    return charset(resultCharacterSet());
  }

  private static Charset charset(String characterSet) {
    Collation collated = Collation.defaultOf(characterSet);
    if (collated == null) {
      return StandardCharsets.UTF_8;
    }
    Charset charset = collated.charset();
    return charset == null ? StandardCharsets.ISO_8859_1 : charset;
  }

  /** What databases call the character set that they read statements in. */
  public String clientCharacterSet() {
    String client = variables.get("character_set_client");
    if (client != null) {
      return client.replace("'", "");
    }
    Collation collated = Collation.byId(Math.abs(collation));
    return collated == null ? "utf8mb4" : collated.characterSet();
  }

  /** The same as Java has it; bytes as they are if it lacks it. */
  public Charset clientCharset() {
    return charset(clientCharacterSet());
  }

  /** The modes of {@code sql_mode}, where the session has set it. */
  public List<String> modes() {
    return SqlModes.of(variables.getOrDefault("sql_mode", ""));
  }

  /** These settings, with texts read as under others. */
  public SessionSettings readingAs(SessionSettings other) {
    var changed = new TreeMap<>(variables);
    changed.keySet().removeAll(READING);
    changed.putAll(other.reading.variables);
    return new SessionSettings(other.collation, changed, userVariables);
  }

  /** Whether a server reads a text alike under both. */
  public boolean readsAs(SessionSettings other) {
    if (collation != other.collation) {
      return false;
    }
    for (String name : TEXTUAL) {
      if (!Objects.equals(variables.get(name), other.variables.get(name))) {
        return false;
      }
    }
    return true;
  }

  /** The variables that MySQL keeps with a statement and whose values are not the same in both. */
  public Set<ResolvedVariable> resolvedOtherwise(SessionSettings other) {
    var different = EnumSet.noneOf(ResolvedVariable.class);
    for (ResolvedVariable each : ResolvedVariable.values()) {
      String name = each.variable();
      if (!Objects.equals(variables.get(name), other.variables.get(name))) {
        different.add(each);
      }
    }
    return different;
  }

  /** Whether transactions that do not say what they do are READ ONLY. */
  public boolean isReadOnly() {
    String value = said(READ_ONLY);
    return value != null && (value.equals("1") || value.equalsIgnoreCase("'ON'"));
  }

  /** Whether the session has switched a variable on. */
  public boolean isOn(String name) {
    String value = variables.get(name);
    return value != null
        && switch (value.replace("'", "").toUpperCase(Locale.ROOT)) {
          case "1", "ON", "TRUE" -> true;
          default -> false;
        };
  }

  public SessionSettings withCollation(int id) {
    return new SessionSettings(id, variables, userVariables);
  }

  /**
   * The same with other values of the system's variables.
   *
   * @param all of them
   */
  public SessionSettings with(Map<String, String> all) {
    return new SessionSettings(collation, all, userVariables);
  }

  /**
   * The same where user variables have been given values.
   *
   * @param given by name as in {@link #userVariables}
   */
  public SessionSettings assigned(Map<String, VariableValue> given) {
    var changed = new TreeMap<>(userVariables);
    changed.putAll(given);
    return new SessionSettings(collation, variables, changed);
  }

  public SessionSettings with(String name, String value) {
    var changed = new TreeMap<>(variables);
    assign(changed, name, value);
    return with(changed);
  }

  /** The same where a variable has the value that it began with. */
  public SessionSettings without(String name) {
    var changed = new TreeMap<>(variables);
    forget(changed, name);
    return with(changed);
  }

  /**
   * A variable has a value. A character set brings its collation along, and the other way round:
   * what the other of the two was set to before holds no more. So it is with other names of the
   * same variable.
   *
   * @param variables as of settings; changed
   */
  public static void assign(Map<String, String> variables, String name, String value) {
    forget(variables, name);
    String partner = partner(name);
    if (partner != null) {
      variables.remove(partner);
    }
    variables.put(name, value);
  }

  /**
   * A variable has the value that it began with, by all of its names.
   *
   * @param variables as of settings; changed
   */
  public static void forget(Map<String, String> variables, String name) {
    synonyms(name).forEach(variables::remove);
    if (name.equals(SIZE)) {
      variables.remove(SET_BY_SIZE);
    }
  }

  /** All names of a variable; itself where there is one. */
  public static List<String> synonyms(String name) {
    for (List<String> names : SYNONYMS) {
      if (names.contains(name)) {
        return names;
      }
    }
    return List.of(name);
  }

  /** All names of the variables of transactions: the level, and whether they are READ ONLY. */
  static List<List<String>> ofTransactions() {
    return List.of(ISOLATION, READ_ONLY);
  }

  /** What transactions have that do not say it themselves; null: what the server has. */
  public @Nullable String isolation() {
    return said(ISOLATION);
  }

  private @Nullable String said(List<String> names) {
    for (String name : names) {
      String value = variables.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /**
   * A variable has the value that it has in these settings, where any, and so has its partner.
   *
   * @param to as of settings; changed
   */
  public void giveBack(Map<String, String> to, String name) {
    String partner = partner(name);
    for (String each : partner == null ? synonyms(name) : List.of(name, partner)) {
      String value = variables.get(each);
      if (value == null) {
        to.remove(each);
      } else {
        to.put(each, value);
      }
    }
  }

  /** The character set of a collation, the collation of a character set; null: it is neither. */
  public static @Nullable String partner(String name) {
    for (String of : PAIRED) {
      if (name.equals("character_set_" + of)) {
        return "collation_" + of;
      }
      if (name.equals("collation_" + of)) {
        return "character_set_" + of;
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof SessionSettings same
            && hash == same.hash
            && collation == same.collation
            && variables.equals(same.variables)
            && userVariables.equals(same.userVariables));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
