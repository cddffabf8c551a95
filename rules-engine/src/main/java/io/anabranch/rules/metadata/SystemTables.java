package io.anabranch.rules.metadata;

import static java.util.Map.entry;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the tables of {@code information_schema} tell of other users' databases. Of MySQL and
 * MariaDB; a table that is not here is taken to tell all of it.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/information-schema.html">INFORMATION_SCHEMA
 * Tables</a>.
 */
public final class SystemTables {

  private static final String TABLE_SCHEMA = "TABLE_SCHEMA";
  private static final String CONSTRAINT_SCHEMA = "CONSTRAINT_SCHEMA";

  /** The column that names the database which a row is about. */
  private static final Map<String, String> SCHEMA_COLUMNS =
      Map.ofEntries(
          entry("check_constraints", CONSTRAINT_SCHEMA),
          entry("column_statistics", "SCHEMA_NAME"),
          entry("columns", TABLE_SCHEMA),
          entry("columns_extensions", TABLE_SCHEMA),
          entry("events", "EVENT_SCHEMA"),
          entry("files", TABLE_SCHEMA),
          entry("geometry_columns", "F_TABLE_SCHEMA"),
          entry("key_column_usage", TABLE_SCHEMA),
          entry("key_period_usage", TABLE_SCHEMA),
          entry("parameters", "SPECIFIC_SCHEMA"),
          entry("partitions", TABLE_SCHEMA),
          entry("periods", TABLE_SCHEMA),
          entry("referential_constraints", CONSTRAINT_SCHEMA),
          entry("routines", "ROUTINE_SCHEMA"),
          entry("schemata", "SCHEMA_NAME"),
          entry("schemata_extensions", "SCHEMA_NAME"),
          entry("sequences", "SEQUENCE_SCHEMA"),
          entry("st_geometry_columns", TABLE_SCHEMA),
          entry("statistics", TABLE_SCHEMA),
          entry("table_constraints", TABLE_SCHEMA),
          entry("table_constraints_extensions", CONSTRAINT_SCHEMA),
          entry("tables", TABLE_SCHEMA),
          entry("tables_extensions", TABLE_SCHEMA),
          entry("triggers", "TRIGGER_SCHEMA"),
          entry("view_routine_usage", TABLE_SCHEMA),
          entry("view_table_usage", "VIEW_SCHEMA"),
          entry("views", TABLE_SCHEMA));

  /** They speak of the server, as SHOW VARIABLES and the like do to everybody. */
  private static final Set<String> FOR_ALL =
      Set.of(
          "all_plugins",
          "character_sets",
          "collation_character_set_applicability",
          "collations",
          "engines",
          "global_status",
          "global_variables",
          "keywords",
          "plugins",
          "resource_groups",
          "session_status",
          "session_variables",
          "spatial_ref_sys",
          "sql_functions",
          "st_spatial_reference_systems",
          "st_units_of_measure",
          "system_variables");

  private SystemTables() {}

  /** Whether its rows are about databases. */
  public static boolean isOfSchemas(String table) {
    return SCHEMA_COLUMNS.containsKey(table.toLowerCase(Locale.ROOT));
  }

  /**
   * The column that names the database which a row of {@code table} is about; empty for tables of
   * which everybody sees all rows.
   *
   * @param table in any case
   * @throws io.anabranch.rules.error.RefusedException 1227 for the tables of administrators
   */
  public static String schemaColumn(String table) {
    String name = table.toLowerCase(Locale.ROOT);
    if (FOR_ALL.contains(name)) {
      return "";
    }
    String column = SCHEMA_COLUMNS.get(name);
    if (column == null) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("PROCESS");
    }
    return column;
  }
}
