package io.anabranch.backend.pool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What must be said to a connection so that it has a session's settings. */
public final class SettingsReplay {

  private static final byte[] OWN_NAMES = "SET NAMES utf8mb4".getBytes(StandardCharsets.US_ASCII);

  private SettingsReplay() {}

  /**
   * The statements that turn {@code from} into {@code to}, to be sent in front of the next
   * statement; empty when nothing differs.
   *
   * <p>The character set goes first, because the values that follow are read in it. Character sets
   * are set by their number, as binary logs do: no name has to be known. Variables that {@code to}
   * lacks go back to their global value, user variables to NULL.
   */
  public static List<byte[]> difference(SessionSettings from, SessionSettings to) {
    if (from.equals(to)) {
      return List.of();
    }
    var statements = new ArrayList<byte[]>(2);
    boolean names = from.collation() != to.collation();
    var list = new StringBuilder();
    for (Map.Entry<String, String> was : from.variables().entrySet()) {
      if (to.variables().containsKey(was.getKey())) {
        continue;
      }
      if (isCharacterSet(was.getKey())) {
        names = true;
      } else {
        assign(list, was.getKey(), was.getKey().startsWith("@") ? "NULL" : "DEFAULT");
      }
    }
    for (Map.Entry<String, String> wanted : to.variables().entrySet()) {
      boolean overwritten = names && isCharacterSet(wanted.getKey());
      if (overwritten || !wanted.getValue().equals(from.variables().get(wanted.getKey()))) {
        assign(list, wanted.getKey(), wanted.getValue());
      }
    }
    if (names) {
      statements.add(names(to.collation()));
    }
    if (!list.isEmpty()) {
      statements.add(list.insert(0, "SET ").toString().getBytes(StandardCharsets.UTF_8));
    }
    return statements;
  }

  private static byte[] names(int collation) {
    if (collation == 0) {
      return OWN_NAMES.clone();
    }
    var sql = new StringBuilder("SET character_set_client=").append(collation);
    sql.append(",character_set_results=").append(collation);
    sql.append(",collation_connection=").append(collation);
    return sql.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void assign(StringBuilder list, String name, String value) {
    if (!list.isEmpty()) {
      list.append(',');
    }
    list.append(name).append('=').append(value);
  }

  private static boolean isCharacterSet(String name) {
    return switch (name) {
      case "character_set_client",
          "character_set_connection",
          "character_set_results",
          "collation_connection" ->
          true;
      default -> false;
    };
  }
}
