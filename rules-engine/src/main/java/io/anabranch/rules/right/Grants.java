package io.anabranch.rules.right;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that one user is granted within its databases. Names of databases are compared without regard
 * to case, those of tables as they are.
 *
 * @param isUnlimited everything, in all databases that the user may see
 * @param list empty where it is unlimited
 */
public record Grants(boolean isUnlimited, List<Grant> list) {

  /** Of users who have no grants of their own. */
  public static final Grants UNLIMITED = new Grants(true, List.of());

  public Grants {
    list = List.copyOf(list);
  }

  /** These, and nothing else. */
  public static Grants of(List<Grant> list) {
    return new Grants(false, list);
  }

  public boolean allow(Privilege privilege, String database, String table) {
    return isUnlimited
        || list.stream()
            .anyMatch(
                grant -> grant.isOf(database, table) && grant.privileges().contains(privilege));
  }

  /** Whether it is granted on the database as a whole. */
  public boolean allow(Privilege privilege, String database) {
    return allow(privilege, database, Grant.ANY);
  }

  /** Whether every privilege is granted on the database. */
  public boolean allowEverything(String database) {
    return Privilege.ALL.stream().allMatch(privilege -> allow(privilege, database));
  }

  /** Whether something is granted in the database: it may be seen and used. */
  public boolean reach(String database) {
    return isUnlimited || list.stream().anyMatch(grant -> grant.isOf(database));
  }

  /** Whether something is granted on the table: it may be seen. */
  public boolean reach(String database, String table) {
    return allowAny(Privilege.OF_TABLES, database, table);
  }

  /**
   * Whether one of the privileges is granted.
   *
   * @param table or {@link Grant#ANY}: on the database as a whole
   */
  public boolean allowAny(Set<Privilege> privileges, String database, String table) {
    return isUnlimited
        || list.stream().anyMatch(grant -> grant.isOf(database, table) && grant.has(privileges));
  }

  /** Tables of the database on which one of the privileges is granted by name. */
  public Set<String> tables(Set<Privilege> privileges, String database) {
    return list.stream()
        .filter(grant -> grant.isOf(database) && !grant.isOfAllTables() && grant.has(privileges))
        .map(Grant::table)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
