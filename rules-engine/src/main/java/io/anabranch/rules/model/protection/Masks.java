package io.anabranch.rules.model.protection;

import io.anabranch.rules.algorithm.mask.Masker;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Columns whose values users do not see as they are. Immutable; compared by identity of the
 * maskers.
 *
 * @param columns by the table's name and the column's, both in lower case; no table is empty
 * @param users account names, in lower case, of those who see all as it is
 */
public record Masks(Map<String, Map<String, Masker>> columns, Set<String> users) {

  /** Nothing is masked. */
  public static final Masks NONE = new Masks(Map.of(), Set.of());

  public Masks {
    columns = Map.copyOf(columns);
    users = Set.copyOf(users);
  }

  /** Whether something is masked for a user. */
  public boolean concern(String user) {
    return !columns.isEmpty() && !users.contains(user.toLowerCase(Locale.ROOT));
  }

  /** Whether the table has a column that is masked. */
  public boolean has(String table) {
    return columns.containsKey(table.toLowerCase(Locale.ROOT));
  }

  /** The columns that are masked by the names of their tables, all in lower case. */
  public Map<String, Set<String>> names() {
    var names = new HashMap<String, Set<String>>();
    columns.forEach((table, maskers) -> names.put(table, Set.copyOf(maskers.keySet())));
    return names;
  }

  /** The maskers of a table's columns, by their names in lower case; empty: it has none. */
  public Map<String, Masker> of(String table) {
    return columns.getOrDefault(table.toLowerCase(Locale.ROOT), Map.of());
  }
}
