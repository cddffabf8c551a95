package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.lease.SqlModes;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionLanguage;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * System variables of sessions for which there is no data source yet: of a proxy that is still to
 * be configured in SQL. Drivers read and set some when they connect; these are a server's own
 * values, and what is set goes to the first connection that the session gets.
 *
 * <p>The list is closed: whatever else is asked for needs a server.
 */
public final class InitialVariables {

  /** How a value is read, and what it may be. */
  private enum Kind {
    FLAG,
    COUNT,
    TEXT,
    MODES,
    ZONE,
    CHARACTER_SET,
    COLLATION,
    /** Shown, and not set here. */
    FIXED
  }

  /**
   * @param value as a server starts; null: of the session
   */
  private record Initial(Kind kind, @Nullable String value) {}

  private static final Map<String, Initial> ALL =
      Map.ofEntries(
          count("auto_increment_increment", 1),
          count("auto_increment_offset", 1),
          Map.entry("character_set_client", new Initial(Kind.CHARACTER_SET, null)),
          Map.entry("character_set_connection", new Initial(Kind.CHARACTER_SET, null)),
          Map.entry("character_set_results", new Initial(Kind.CHARACTER_SET, null)),
          fixed("character_set_database", "utf8mb4"),
          fixed("character_set_server", "utf8mb4"),
          fixed("character_set_system", "utf8mb3"),
          Map.entry("collation_connection", new Initial(Kind.COLLATION, null)),
          fixed("collation_database", "utf8mb4_general_ci"),
          fixed("collation_server", "utf8mb4_general_ci"),
          fixed("default_storage_engine", "InnoDB"),
          flag("foreign_key_checks", true),
          count("group_concat_max_len", 1024),
          fixed("init_connect", ""),
          count("innodb_lock_wait_timeout", 50),
          count("interactive_timeout", 28800),
          fixed("license", "GPL"),
          count("lock_wait_timeout", 86400),
          fixed("lower_case_table_names", "0"),
          fixed("max_allowed_packet", "16777216"),
          fixed("net_buffer_length", "16384"),
          count("net_read_timeout", 30),
          count("net_write_timeout", 60),
          fixed("performance_schema", "0"),
          fixed("protocol_version", "10"),
          flag("session_track_schema", true),
          Map.entry(
              "session_track_system_variables",
              new Initial(
                  Kind.TEXT,
                  "time_zone,autocommit,character_set_client,character_set_results,"
                      + "character_set_connection")),
          flag("sql_auto_is_null", false),
          Map.entry(
              "sql_mode",
              new Initial(
                  Kind.MODES,
                  "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION")),
          flag("sql_notes", true),
          flag("sql_safe_updates", false),
          fixed("system_time_zone", "UTC"),
          Map.entry("time_zone", new Initial(Kind.ZONE, "SYSTEM")),
          fixed("transaction_isolation", "REPEATABLE-READ"),
          fixed("transaction_read_only", "0"),
          fixed("tx_isolation", "REPEATABLE-READ"),
          fixed("tx_read_only", "0"),
          flag("unique_checks", true),
          Map.entry("version", new Initial(Kind.FIXED, null)),
          fixed("version_comment", "Anabranch"),
          count("wait_timeout", 28800));

  private static final List<String> OF_ANSI =
      List.of("REAL_AS_FLOAT", "PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE");

  /** As drivers add modes to those that there are. */
  private static final Pattern MORE_MODES =
      Pattern.compile(
          "(?i)CONCAT\\s*\\(\\s*@@(?:(?:session|global)\\.)?sql_mode\\s*,\\s*'([\\w, ]*)'\\s*\\)");

  /** As MariaDB's driver keeps last_gtid among what is told: nobody has asked for that yet. */
  private static final Pattern TRACKED =
      Pattern.compile(
          "(?i)CONCAT\\s*\\(\\s*'([\\w, ]*)'\\s*,\\s*IF\\s*\\(.*,',last_gtid',''\\)\\)");

  private static final Pattern ZONE = Pattern.compile("(?i)SYSTEM|[+-]\\d?\\d:\\d\\d");
  private static final Pattern WORDS = Pattern.compile("[\\w, *-]*");
  private static final Pattern COUNT = Pattern.compile("\\d{1,18}");

  private InitialVariables() {}

  private static Map.Entry<String, Initial> count(String name, long value) {
    return Map.entry(name, new Initial(Kind.COUNT, Long.toString(value)));
  }

  private static Map.Entry<String, Initial> flag(String name, boolean isOn) {
    return Map.entry(name, new Initial(Kind.FLAG, isOn ? "1" : "0"));
  }

  private static Map.Entry<String, Initial> fixed(String name, String value) {
    return Map.entry(name, new Initial(Kind.FIXED, value));
  }

  // ---------------------------------------------------------------- read

  /** Whether {@link #value} knows it. */
  public static boolean has(String name) {
    return ALL.containsKey(name);
  }

  /** Whether its value is a number. */
  public static boolean isNumber(String name) {
    Initial known = known(name);
    return known.kind() == Kind.FLAG
        || known.kind() == Kind.COUNT
        || (known.value() != null && COUNT.matcher(known.value()).matches());
  }

  /** What the session has; null is NULL. */
  public static @Nullable String value(Session session, String name) {
    String set = session.settings().variables().get(name);
    Matcher more = set == null ? null : MORE_MODES.matcher(set);
    if (more != null && more.matches()) {
      // of a client that ignores blanks
      return known(name).value() + more.group(1);
    }
    if (set != null) {
      boolean isQuoted = set.startsWith("'");
      return isQuoted ? set.substring(1, set.length() - 1) : set.equals("NULL") ? null : set;
    }
    Initial known = known(name);
    return known.value() == null ? ofSession(session, name) : known.value();
  }

  private static String ofSession(Session session, String name) {
    if (name.equals("version")) {
      return session.deployment().serverVersion();
    }
    // sessions have one that is known, from their handshake on
    Collation known = Objects.requireNonNull(Collation.byId(session.settings().collation()));
    return name.equals("collation_connection") ? known.name() : known.characterSet();
  }

  private static Initial known(String name) {
    Initial known = ALL.get(name);
    if (known == null) {
      throw new IllegalArgumentException(name);
    }
    return known;
  }

  /** All of them as SHOW VARIABLES tells them: name and value, in order. */
  public static List<List<String>> shown(Session session) {
    var rows = new ArrayList<List<String>>();
    for (String name : ALL.keySet().stream().sorted().toList()) {
      String value = value(session, name);
      boolean isFlag = known(name).kind() == Kind.FLAG;
      String text = value == null ? "" : value;
      rows.add(List.of(name, isFlag ? (text.equals("1") ? "ON" : "OFF") : text));
    }
    return rows;
  }

  // ---------------------------------------------------------------- set

  /**
   * Leaves the session's settings with the new values.
   *
   * @throws RefusedException 1231 for a value that no server takes, 1115, 1273; 1235 for what needs
   *     a server
   */
  static void set(Session session, List<Assignment> assignments) {
    var variables = new TreeMap<>(session.settings().variables());
    for (Assignment assignment : assignments) {
      if (!(assignment instanceof Assignment.Variable variable)) {
        throw needsServer("variables of one's own");
      }
      String name = variable.name();
      Initial known = ALL.get(name);
      if (known == null || known.kind() == Kind.FIXED) {
        throw needsServer("SET " + name);
      }
      if (variable.value().equalsIgnoreCase("DEFAULT")) {
        SessionSettings.forget(variables, name);
      } else {
        SessionSettings.assign(
            variables, name, literal(session, name, known.kind(), variable.value()));
      }
    }
    SessionSettings changed = session.settings().with(variables);
    SessionLanguage.requireRead(changed);
    session.settings(changed);
    session.changes().state();
  }

  private static RefusedException needsServer(String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + " while the proxy has no data source",
        "add one first, in the configuration or with REGISTER STORAGE UNIT");
  }

  private static String literal(Session session, String name, Kind kind, String written) {
    if (kind == Kind.MODES) {
      Matcher more = MORE_MODES.matcher(written);
      if (more.matches()) {
        return modes(name, value(session, name) + "," + more.group(1));
      }
    }
    Matcher tracked = TRACKED.matcher(written);
    if (kind == Kind.TEXT && tracked.matches()) {
      return TableNames.literal(tracked.group(1));
    }
    boolean isQuoted =
        written.length() > 1
            && (written.startsWith("'") || written.startsWith("\""))
            && written.charAt(written.length() - 1) == written.charAt(0);
    String value = isQuoted ? written.substring(1, written.length() - 1) : written;
    if (!isQuoted && !value.matches("\\w+")) {
      throw needsServer("SET " + name + " to an expression");
    }
    return switch (kind) {
      case FLAG -> flagged(name, value);
      case COUNT -> checked(name, value, COUNT);
      case TEXT -> TableNames.literal(checked(name, value, WORDS));
      case ZONE -> {
        if (!ZONE.matcher(value).matches()) {
          throw needsServer("SET " + name + " to a name");
        }
        yield TableNames.literal(value);
      }
      case MODES -> modes(name, value);
      case CHARACTER_SET -> characterSet(name, value, isQuoted);
      case COLLATION -> collation(value);
      case FIXED -> throw needsServer("SET " + name);
    };
  }

  private static String checked(String name, String value, Pattern pattern) {
    if (!pattern.matcher(value).matches()) {
      throw ErrorCatalogue.WRONG_VALUE.refuse(name, value);
    }
    return value;
  }

  private static String flagged(String name, String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "1", "ON", "TRUE" -> "1";
      case "0", "OFF", "FALSE" -> "0";
      default -> throw ErrorCatalogue.WRONG_VALUE.refuse(name, value);
    };
  }

  private static String modes(String name, String value) {
    var modes = new LinkedHashSet<String>();
    for (String mode : SqlModes.of(value)) {
      if (!SqlModes.isRead(mode)) {
        throw ErrorCatalogue.WRONG_VALUE.refuse(name, mode);
      }
      if (mode.equals("ANSI")) {
        // as servers show it, and read texts by it
        modes.addAll(OF_ANSI);
      }
      modes.add(mode);
    }
    return TableNames.literal(String.join(",", modes));
  }

  private static String characterSet(String name, String value, boolean isQuoted) {
    if (!isQuoted && value.equalsIgnoreCase("NULL") && name.equals("character_set_results")) {
      return "NULL";
    }
    Collation known = Collation.defaultOf(value.toLowerCase(Locale.ROOT));
    if (known == null || known.charset() == null) {
      throw ErrorCatalogue.UNKNOWN_CHARACTER_SET.refuse(value);
    }
    if (name.equals("character_set_client") && SettingsReplay.isWide(known.characterSet())) {
      throw ErrorCatalogue.WRONG_VALUE.refuse(name, value);
    }
    return TableNames.literal(known.characterSet());
  }

  private static String collation(String value) {
    Collation known = Collation.byName(value.toLowerCase(Locale.ROOT));
    if (known == null) {
      throw ErrorCatalogue.UNKNOWN_COLLATION.refuse(value);
    }
    return TableNames.literal(known.name());
  }
}
