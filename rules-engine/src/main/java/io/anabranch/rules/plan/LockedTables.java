package io.anabranch.rules.plan;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The tables that a session has locked with LOCK TABLES in a sharded database: until it unlocks
 * them it may use no others. Immutable.
 *
 * @param database logical database, lower case; empty where nothing is locked
 * @param byAlias lower-case alias, which is the name where none was given, to lower-case name
 */
public record LockedTables(String database, Map<String, String> byAlias) {

  /** Of most sessions. */
  public static final LockedTables NONE = new LockedTables("", Map.of());

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
        || (database.equalsIgnoreCase(usedDatabase)
            && table.toLowerCase(Locale.ROOT).equals(byAlias.get(alias.toLowerCase(Locale.ROOT))));
  }

  /** A locked table has another name from now on, and its aliases are gone. */
  public LockedTables renamed(String from, String to) {
    String old = from.toLowerCase(Locale.ROOT);
    var after = new HashMap<>(byAlias);
    if (after.values().removeIf(old::equals)) {
      after.put(to.toLowerCase(Locale.ROOT), to.toLowerCase(Locale.ROOT));
    }
    return new LockedTables(database, after);
  }
}
