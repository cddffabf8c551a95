package io.anabranch.rules.model.protection;

import io.anabranch.rules.algorithm.mask.Masker;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** Null: the column is not masked. */
  public @Nullable Masker of(String table, String column) {
    return columns
        .getOrDefault(table.toLowerCase(Locale.ROOT), Map.of())
        .get(column.toLowerCase(Locale.ROOT));
  }

  /** All of a table's columns, and of others' of the same name the first one. */
  public Map<String, Masker> named(Set<String> tables) {
    var maskers = new HashMap<String, Masker>();
    tables.forEach(table -> columns.getOrDefault(table, Map.of()).forEach(maskers::putIfAbsent));
    return maskers;
  }
}
