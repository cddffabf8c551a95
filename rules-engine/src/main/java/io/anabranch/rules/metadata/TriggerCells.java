package io.anabranch.rules.metadata;

import io.anabranch.rules.sql.TableNames;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Columns of {@code information_schema.TRIGGERS} as SQL in logical names, of the nodes that stand
 * for their tables.
 *
 * @param shown actual names of these nodes in one data source to logical ones
 */
public record TriggerCells(Map<String, String> shown) {

  private static final Pattern SIGN = Pattern.compile("[^0-9A-Za-z_\\x80-\\x{10FFFF}]");

  /** The trigger's name without the node's. */
  public String name() {
    var sql = new StringBuilder("TRIGGER_NAME");
    shown.forEach(
        (actual, logical) -> {
          sql.insert(
              0,
              is(actual)
                  + "SUBSTRING_INDEX(TRIGGER_NAME, "
                  + TableNames.literal("_" + actual)
                  + ", 1), ");
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
                .append(", ")
                .append(
                    TableNames.literal(
                        "(?<![0-9A-Za-z_$])" + pattern(actual) + "(?![0-9A-Za-z_$])"))
                .append(", ")
                .append(TableNames.literal(logical))
                .append(')'));
    return sql.toString();
  }

  private static String is(String actual) {
    return "IF(EVENT_OBJECT_TABLE = " + TableNames.literal(actual) + ", ";
  }

  /** What matches the name alone, whatever signs it has. */
  private static String pattern(String name) {
    return SIGN.matcher(name).replaceAll("\\\\$0");
  }
}
