package io.anabranch.rules.sql;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.List;
import java.util.Set;

/**
 * A table that a WITH clause defines.
 *
 * @param name without quotes
 * @param recursive whether its query may name the table itself
 * @param mentions where queries read it, its own query apart; in the order of the text
 */
public record CommonTable(String name, boolean recursive, List<Mention> mentions) {

  public CommonTable {
    mentions = List.copyOf(mentions);
  }

  /**
   * Whether {@code name}, which stands without a database in front, is one of the common tables
   * {@code known} there.
   *
   * @throws io.anabranch.rules.error.RefusedException as {@link #requireItsCase}
   */
  public static boolean isOne(String name, Set<String> known) {
    requireItsCase(name, known);
    return known.contains(name);
  }

  /**
   * Refuses the name of a common table in another case: to a MySQL server that tells tables apart
   * by case it is a table, to MariaDB the common table.
   */
  public static void requireItsCase(String name, Set<String> known) {
    for (String each : known) {
      if (each.equalsIgnoreCase(name) && !each.equals(name)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "'" + name + "' beside a common table of that name in another case",
            "write it as in WITH, or with its database if a table is meant");
      }
    }
  }

  /**
   * @param token of the name; -1 if it is not one of the known ones
   * @param aliased whether the statement gives it another name there
   */
  public record Mention(int token, boolean aliased) {}
}
