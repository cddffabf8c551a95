package io.anabranch.rules.planner.show;

/**
 * LIKE of SHOW TABLES and its kin: servers tell names of tables apart by case there if they do so
 * anywhere, whatever the collation of the column.
 */
final class NamePattern {

  private NamePattern() {}

  /**
   * @param column quoted where that is needed
   * @param pattern the client's, quotes included
   */
  static String condition(String column, String pattern) {
    String like = " LIKE " + pattern;
    return column
        + like
        + " AND (@@lower_case_table_names > 0 OR CONVERT("
        + column
        + " USING utf8mb4) COLLATE utf8mb4_bin"
        + like
        + ")";
  }
}
