package io.anabranch.rules.right;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code GRANT SELECT, INSERT ON shop.orders}.
 *
 * @param database a logical database, or {@link #ANY}
 * @param table as its server calls it, or {@link #ANY}: also what is of the database as a whole
 */
public record Grant(Set<Privilege> privileges, String database, String table) {

  /** {@code *}. */
  public static final String ANY = "*";

  public Grant {
    privileges = Set.copyOf(privileges);
  }

  boolean isOf(String other) {
    return database.equals(ANY) || database.equalsIgnoreCase(other);
  }

  /** Whether it is of all tables of its databases. */
  boolean isOfAllTables() {
    return table.equals(ANY);
  }

  boolean isOf(String other, String name) {
    return isOf(other) && (isOfAllTables() || table.equals(name));
  }

  /** Whether it has one of these. */
  boolean has(Set<Privilege> others) {
    return others.stream().anyMatch(privileges::contains);
  }

  /** {@code SELECT, INSERT ON `shop`.*}. */
  @Override
  public String toString() {
    String words =
        privileges.equals(Privilege.ALL)
            ? "ALL PRIVILEGES"
            : new TreeSet<>(privileges)
                .stream().map(Privilege::words).collect(Collectors.joining(", "));
    return words + " ON " + quoted(database) + "." + quoted(table);
  }

  private static String quoted(String name) {
    return name.equals(ANY) ? name : "`" + name.replace("`", "``") + "`";
  }
}
