package io.anabranch.rules.plan;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The tables that a session has locked with LOCK TABLES in a sharded database: until it unlocks
 * them it may use no others. Immutable.
 *
 * @param database logical database, compared without regard to case; empty where nothing is locked
 * @param byAlias alias, which is the name where none was given, to name; both in lower case unless
 *     it is told
 * @param tellsCase whether tables may differ in case alone
 */
public record LockedTables(String database, Map<String, String> byAlias, boolean tellsCase) {

  /** Of most sessions. */
  public static final LockedTables NONE = new LockedTables("", Map.of(), false);

  public LockedTables {
    byAlias = Map.copyOf(byAlias);
  }

  /** Whether the session may use any table. */
  public boolean isEmpty() {
    return byAlias.isEmpty();
  }

  /** Whether a statement may use the table under this alias. */
  public boolean admit(String usedDatabase, String alias, String table) {
    return isEmpty()
        || (database.equalsIgnoreCase(usedDatabase) && key(table).equals(byAlias.get(key(alias))));
  }

  /** A locked table has another name from now on, and its aliases are gone. */
  public LockedTables renamed(String from, String to) {
    String old = key(from);
    var after = new HashMap<>(byAlias);
    if (after.values().removeIf(old::equals)) {
      after.put(key(to), key(to));
    }
    return new LockedTables(database, after, tellsCase);
  }

  private String key(String name) {
    return tellsCase ? name : name.toLowerCase(Locale.ROOT);
  }
}
