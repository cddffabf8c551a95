package io.anabranch.backend.lease;

import io.anabranch.protocol.type.Collation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must be said to a connection so that it has a session's settings. */
public final class SettingsReplay {

  private static final byte[] OWN_NAMES = "SET NAMES utf8mb4".getBytes(StandardCharsets.US_ASCII);

  /** A client cannot speak them: their letters are no ASCII. */
  private static final Set<String> NO_CLIENT_CHARACTER_SETS =
      Set.of("ucs2", "utf16", "utf16le", "utf32");

  /** Longer ones go in several statements: servers limit the length of one. */
  private static final int MOST_TOGETHER = 256 * 1024;

  /** Of one statement: parsers keep them on a stack. */
  private static final int MOST_ASSIGNMENTS = 512;

  private static final String START_MODE = "@@global.sql_mode";

  private SettingsReplay() {}

  /**
   * What makes the next transaction of a connection one of the settings that the session had
   * before; what it says of transactions is for those that begin later.
   *
   * @param present what the connection has
   */
  public static List<String> transactionOf(SessionSettings former, SessionSettings present) {
    var commands = new ArrayList<String>(2);
    for (List<String> names : SessionSettings.ofTransactions()) {
      String name = said(names, present);
      String wanted = said(names, former);
      String value = wanted == null ? null : former.variables().get(wanted);
      String called = name == null ? wanted : name;
      String has = name == null ? null : present.variables().get(name);
      if (called != null && !Objects.equals(has, value)) {
        commands.add("SET @@" + called + " = " + (value == null ? "@@GLOBAL." + called : value));
      }
    }
    return commands;
  }

  private static @Nullable String said(List<String> names, SessionSettings settings) {
    for (String name : names) {
      if (settings.variables().containsKey(name)) {
        return name;
      }
    }
    return null;
  }

  /**
   * The statements that give a leased connection the settings of the session that has it, with the
   * values of that session's start where it has set none.
   */
  @SuppressWarnings("ReferenceEquality") // equal ones are one object
  public static List<byte[]> difference(Lease lease, SessionSettings to) {
    StartValues wanted = lease.wantedStart();
    StartValues start = lease.start();
    return start == wanted && lease.applied() == to
        ? List.of()
        : difference(lease.applied(), start, to, wanted);
  }

  /**
   * Whether a connection is as a session wants it that does not have it: nothing is to be said.
   *
   * @param wanted what that session began with
   */
  @SuppressWarnings("ReferenceEquality") // equal ones are one object
  public static boolean isNeedless(Lease lease, SessionSettings to, StartValues wanted) {
    StartValues start = lease.start();
    SessionSettings applied = lease.applied();
    return (start == wanted && applied == to) || difference(applied, start, to, wanted).isEmpty();
  }

  /**
   * The statements that turn {@code from} into {@code to}, to be sent in front of the next
   * statement; empty when nothing differs.
   *
   * <p>Names beyond ASCII are told in UTF-8, hence under {@code SET NAMES utf8mb4}: what a
   * connection reads is what it has been told in front, and never what the same statement sets. The
   * session's own character sets go behind them, in statements of their own, and user variables
   * last: MySQL gives numbers in them the collation of the connection. Variables that {@code to}
   * lacks go back to their global value, user variables to a NULL of no type.
   */
  public static List<byte[]> difference(SessionSettings from, SessionSettings to) {
    return difference(from, StartValues.UNKNOWN, to, StartValues.UNKNOWN);
  }

  private static List<byte[]> difference(
      SessionSettings from, StartValues start, SessionSettings to, StartValues wantedStart) {
    if (start.equals(wantedStart) && from.equals(to)) {
      return List.of();
    }
    boolean names = from.collation() != to.collation();
    var list = new Assignments();
    var last = new Assignments();
    tellUserVariables(list, last, from.userVariables(), to.userVariables());
    for (Map.Entry<String, String> was : from.variables().entrySet()) {
      if (to.variables().containsKey(was.getKey())) {
        continue;
      }
      if (isCharacterSet(was.getKey())) {
        names = true;
      } else {
        String value = wantedStart.literal(was.getKey());
        list.add(was.getKey(), value == null ? "DEFAULT" : value);
      }
    }
    if (!start.equals(wantedStart)) {
      begin(list, from, start, to, wantedStart);
    }
    for (Map.Entry<String, String> wanted : to.variables().entrySet()) {
      boolean builds = !start.equals(wantedStart) && wanted.getValue().contains(START_MODE);
      if (!isCharacterSet(wanted.getKey())
          && (builds || !wanted.getValue().equals(from.variables().get(wanted.getKey())))) {
        list.add(wanted.getKey(), built(wanted.getValue(), wantedStart));
      }
    }
    return told(list, last, names, from, to);
  }

  /**
   * User variables never go: one that is NULL keeps the type that it had, and one that nobody has
   * set yet is a binary string.
   *
   * @param last of those whose names are read alike under all character sets
   */
  private static void tellUserVariables(
      Assignments list,
      Assignments last,
      Map<String, VariableValue> from,
      Map<String, VariableValue> to) {
    for (String name : from.keySet()) {
      if (!to.containsKey(name)) {
        Assignments where = isAscii(name) ? last : list;
        where.add(name, "_binary''");
        where.add(name, "NULL");
      }
    }
    for (Map.Entry<String, VariableValue> wanted : to.entrySet()) {
      String name = wanted.getKey();
      VariableValue value = wanted.getValue();
      if (!value.equals(from.get(name))) {
        Assignments where = isAscii(name) ? last : list;
        if (value instanceof VariableValue.Null(VariableValue example)) {
          where.add(name, example.sql());
        }
        where.add(name, value.sql());
      }
    }
  }

  /**
   * The character sets between the two lists; one list where there is nothing to be said of them.
   */
  private static List<byte[]> told(
      Assignments list, Assignments last, boolean names, SessionSettings from, SessionSettings to) {
    boolean isWide = readsWide(from);
    boolean speaksUtf8 = !list.isEmpty() && (!list.isAscii() || isWide);
    boolean isNamed = names || speaksUtf8 || isWide;
    var sets = new Assignments();
    for (Map.Entry<String, String> wanted : to.variables().entrySet()) {
      boolean isTold = wanted.getValue().equals(from.variables().get(wanted.getKey()));
      if (isCharacterSet(wanted.getKey()) && (isNamed || !isTold)) {
        sets.add(wanted.getKey(), wanted.getValue());
      }
    }
    var told = new ArrayList<byte[]>();
    if (speaksUtf8) {
      told.add(OWN_NAMES.clone());
    }
    if (!isNamed && sets.isEmpty()) {
      list.take(last);
    }
    told.addAll(list.statements());
    if (isNamed) {
      told.add(names(to.collation()));
    }
    told.addAll(sets.statements());
    told.addAll(last.statements());
    return told;
  }

  /**
   * Has a connection read and answer in UTF-8, whatever it was told or has assigned itself, until
   * it is told a session's settings again. Blocks.
   */
  public static void speakUtf8(Lease lease) {
    lease.shard().prologue(List.of(OWN_NAMES.clone()));
    lease.applied(speakingUtf8(lease.applied()));
  }

  /** What such a connection has that had these settings before. */
  public static SessionSettings speakingUtf8(SessionSettings settings) {
    var variables = new TreeMap<>(settings.variables());
    variables.keySet().removeIf(SettingsReplay::isCharacterSet);
    return settings.with(variables).withCollation(-Collation.UTF8MB4_GENERAL_CI);
  }

  /** Whether literals are no ASCII there: values cannot be told before another character set is. */
  private static boolean readsWide(SessionSettings settings) {
    for (String name : List.of("character_set_connection", "collation_connection")) {
      String value = settings.variables().get(name);
      if (value != null && NO_CLIENT_CHARACTER_SETS.stream().anyMatch(value::contains)) {
        return true;
      }
    }
    return false;
  }

  /**
   * As servers do at the handshake: a collation that they do not know leaves the default of its
   * character set. Which collations those are depends on the product, hence the comments that only
   * MySQL or only MariaDB reads.
   */
  private static byte[] names(int id) {
    Collation collation = id == 0 ? null : Collation.byId(Math.abs(id));
    if (collation == null || NO_CLIENT_CHARACTER_SETS.contains(collation.characterSet())) {
      return OWN_NAMES.clone();
    }
    if (id < 0) {
      return ("SET NAMES " + oldName(collation.characterSet())).getBytes(StandardCharsets.US_ASCII);
    }
    String name = oldName(collation.name());
    String clause = "COLLATE " + name;
    if (name.contains("_0900_")) {
      clause = "/*!80000 " + clause + " */";
    } else if (name.contains("uca1400") || name.contains("_nopad_")) {
      clause = "/*M! " + clause + " */";
    }
    return ("SET NAMES " + oldName(collation.characterSet()) + " " + clause)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Every server knows utf8mb3 by its old name, not every one by the new. */
  private static String oldName(String name) {
    return name.startsWith("utf8mb3") ? "utf8" + name.substring("utf8mb3".length()) : name;
  }

  /** {@code sql_mode} of clients that have CLIENT_IGNORE_SPACE: their start's, and that. */
  private static String built(String value, StartValues start) {
    String mode = start.literal("sql_mode");
    return mode == null ? value : value.replace(START_MODE, mode);
  }

  /** What neither has set, as it was when the session began. */
  private static void begin(
      Assignments list,
      SessionSettings from,
      StartValues start,
      SessionSettings to,
      StartValues wanted) {
    wanted.forEach(
        (name, value) -> {
          boolean differs = !value.equals(start.literal(name));
          if (differs && !from.variables().containsKey(name) && !isSet(name, to)) {
            list.add(name, value);
          }
        });
  }

  private static boolean isSet(String name, SessionSettings settings) {
    return said(SessionSettings.synonyms(name), settings) != null;
  }

  /**
   * Connections have the server tell changes of their state, those of groups the GTIDs of writes,
   * whatever a session wants to be told besides. {@code last_gtid} is MariaDB's alone.
   */
  private static String tracking(String name, String value) {
    boolean isDefault = value.equals("DEFAULT");
    return switch (name) {
      case "session_track_state_change" -> "1";
      case "session_track_gtids" -> isDefault ? "OWN_GTID" : value;
      case "session_track_system_variables" -> {
        if (value.equals("'*'")) {
          yield value;
        }
        String comma = value.equals("''") ? "" : ",";
        String own = isDefault ? "@@global.session_track_system_variables" : value;
        yield "CONCAT(" + own + "/*M!,'" + comma + "last_gtid'*/)";
      }
      default -> value;
    };
  }

  /** Whether it is read alike in all character sets that clients may have. */
  public static boolean isAscii(String text) {
    return text.chars().allMatch(letter -> letter < 0x80);
  }

  /** Whether a client cannot speak it: its letters are no ASCII. */
  public static boolean isWide(String characterSet) {
    return NO_CLIENT_CHARACTER_SETS.contains(characterSet);
  }

  /** Whether SET NAMES assigns the variable. */
  public static boolean isCharacterSet(String name) {
    return switch (name) {
      case "character_set_client",
          "character_set_connection",
          "character_set_results",
          "collation_connection" ->
          true;
      default -> false;
    };
  }

  /** SET statements of values, in their order. */
  private static final class Assignments {

    private final List<String> all = new ArrayList<>();
    private boolean isAscii = true;

    void add(String name, String value) {
      all.add(name + '=' + tracking(name, value));
      isAscii &= SettingsReplay.isAscii(name) && SettingsReplay.isAscii(value);
    }

    /** Takes them over, which are none there any more. */
    void take(Assignments others) {
      all.addAll(others.all);
      isAscii &= others.isAscii;
      others.all.clear();
    }

    boolean isEmpty() {
      return all.isEmpty();
    }

    /** Whether they are read alike in all character sets that clients may have. */
    boolean isAscii() {
      return isAscii;
    }

    List<byte[]> statements() {
      var statements = new ArrayList<byte[]>(1);
      var statement = new StringBuilder();
      int count = 0;
      for (String one : all) {
        boolean isLong = statement.length() + (long) one.length() > MOST_TOGETHER;
        if (count > 0 && (isLong || count == MOST_ASSIGNMENTS)) {
          statements.add(bytes(statement));
          statement.setLength(0);
          count = 0;
        }
        statement.append(count++ == 0 ? "SET " : ",").append(one);
      }
      if (count > 0) {
        statements.add(bytes(statement));
      }
      return statements;
    }

    private static byte[] bytes(StringBuilder statement) {
      return statement.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
