package io.anabranch.rules.metadata;

import io.anabranch.rules.plan.NodeConstraints;
import io.anabranch.rules.sql.TableNames;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How rows of a table of {@code information_schema} say which table they are about: by its name,
 * or, as MySQL's CHECK_CONSTRAINTS, by that of a constraint.
 *
 * @param member {@code %s} stands for the tables' names in a list
 */
record OfTables(String member) {

  /** MySQL has no names of tables there; those of constraints are unique in a schema. */
  private static final OfTables BY_CONSTRAINT =
      new OfTables(
          "CONSTRAINT_NAME IN (SELECT of_tables.CONSTRAINT_NAME FROM"
              + " information_schema.TABLE_CONSTRAINTS AS of_tables WHERE"
              + " of_tables.CONSTRAINT_SCHEMA = DATABASE() AND of_tables.TABLE_NAME IN (%s))");

  /**
   * @param existing its columns in upper case
   * @return null: its rows are not about tables
   */
  static @Nullable OfTables of(String table, Set<String> existing) {
    for (String column : new String[] {"TABLE_NAME", "EVENT_OBJECT_TABLE"}) {
      if (existing.contains(column)) {
        return new OfTables(column + " IN (%s)");
      }
    }
    return table.toUpperCase(Locale.ROOT).equals("CHECK_CONSTRAINTS") ? BY_CONSTRAINT : null;
  }

  /** A condition: the row is about one of the tables, of which there is one at least. */
  String isOneOf(Set<String> tables) {
    return member.formatted(
        tables.stream().sorted().map(TableNames::literal).collect(Collectors.joining(", ")));
  }

  /** What follows another condition, so that the row is about none of the tables. */
  String isNone(Set<String> tables) {
    return tables.isEmpty() ? "" : " AND NOT (" + isOneOf(tables) + ")";
  }

  /**
   * The logical name of a constraint, no longer than names are, as {@link NodeConstraints} has it
   * on a node.
   *
   * @param shown logical names of sharded tables by those of their nodes
   */
  static String constraint(String column, Map<String, String> shown) {
    String quoted = TableNames.quoted(column);
    var sql = new StringBuilder();
    shown.forEach(
        (actual, logical) -> {
          if (actual.equals(logical)) {
            return;
          }
          String suffix = NodeConstraints.given("", actual, logical);
          sql.append(" WHEN LEFT(%s, %d) = ".formatted(quoted, actual.length()))
              .append(TableNames.literal(actual))
              .append(" AND SUBSTR(%s, %d) REGEXP ".formatted(quoted, actual.length() + 1))
              .append(TableNames.literal("^" + NodeConstraints.MADE + "$"))
              .append(" THEN CONCAT(")
              .append(TableNames.literal(logical))
              .append(", SUBSTR(%s, %d))".formatted(quoted, actual.length() + 1))
              .append(" WHEN RIGHT(%s, %d) = ".formatted(quoted, suffix.length()))
              .append(TableNames.literal(suffix))
              .append(
                  " THEN LEFT(%s, CHAR_LENGTH(%s) - %d)"
                      .formatted(quoted, quoted, suffix.length()));
        });
    return sql.isEmpty() ? quoted : "LEFT(CASE" + sql + " ELSE " + quoted + " END, 64)";
  }
}
