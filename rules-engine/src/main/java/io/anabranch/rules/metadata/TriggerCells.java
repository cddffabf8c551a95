package io.anabranch.rules.metadata;

import io.anabranch.rules.sql.TableNames;
import java.util.Map;

/**
 * Columns of {@code information_schema.TRIGGERS} as SQL in logical names, of the nodes that stand
 * for their tables.
 *
 * @param shown actual names of these nodes in one data source to logical ones
 */
public record TriggerCells(Map<String, String> shown) {

  /** The trigger's name without the node's. */
  public String name() {
    var sql = new StringBuilder("TRIGGER_NAME");
    shown.forEach(
        (actual, logical) -> {
          sql.insert(0, is(actual) + "SUBSTRING_INDEX(TRIGGER_NAME, '_" + text(actual) + "', 1), ");
          sql.append(')');
        });
    return sql.toString();
  }

  public String table() {
    var sql = new StringBuilder("EVENT_OBJECT_TABLE");
    shown.forEach(
        (actual, logical) ->
            sql.insert(0, is(actual) + TableNames.literal(logical) + ", ").append(')'));
    return sql.toString();
  }

  /** What it does, to the tables that lie beside it. */
  public String statement() {
    var sql = new StringBuilder("ACTION_STATEMENT");
    shown.forEach(
        (actual, logical) ->
            sql.insert(0, "REGEXP_REPLACE(")
                .append(", '(?<![0-9A-Za-z_$])")
                .append(text(actual))
                .append("(?![0-9A-Za-z_$])', ")
                .append(TableNames.literal(logical))
                .append(')'));
    return sql.toString();
  }

  private static String is(String actual) {
    return "IF(EVENT_OBJECT_TABLE = " + TableNames.literal(actual) + ", ";
  }

  private static String text(String name) {
    return name.replace("'", "''");
  }
}
