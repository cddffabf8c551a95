package io.anabranch.rules.model;

import java.util.Locale;
import java.util.Set;

/**
 * The logical databases that a user may name in statements. Immutable.
 *
 * @param isAll the user is not kept to any
 * @param names in lower case; empty where all are permitted
 */
public record PermittedDatabases(boolean isAll, Set<String> names) {

  /** Of administrators, and of users to whom everything is granted. */
  public static final PermittedDatabases ALL = new PermittedDatabases(true, Set.of());

  public PermittedDatabases {
    names = Set.copyOf(names);
  }

  /** Only these, by their names in lower case. */
  public static PermittedDatabases of(Set<String> names) {
    return new PermittedDatabases(false, names);
  }

  /**
   * @param database a name in any case
   */
  public boolean has(String database) {
    return isAll || names.contains(database.toLowerCase(Locale.ROOT));
  }
}
