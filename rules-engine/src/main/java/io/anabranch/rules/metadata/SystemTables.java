package io.anabranch.rules.metadata;

import static java.util.Map.entry;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
  private static final String SCHEMA_NAME = "SCHEMA_NAME";
  private static final String TABLE_NAME = "TABLE_NAME";
  private static final String CONSTRAINT_SCHEMA = "CONSTRAINT_SCHEMA";

  /** The column that names the database which a row is about. */
  private static final Map<String, String> SCHEMA_COLUMNS =
      Map.ofEntries(
          entry("check_constraints", CONSTRAINT_SCHEMA),
          entry("column_statistics", SCHEMA_NAME),
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
          entry("schemata", SCHEMA_NAME),
          entry("schemata_extensions", SCHEMA_NAME),
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

  /** A second column that says the same, in lower case. */
  private static final Map<String, String> SAME_COLUMNS =
      Map.of(
          "key_column_usage", "constraint_schema",
          "key_period_usage", "constraint_schema",
          "statistics", "index_schema",
          "table_constraints", "constraint_schema",
          "triggers", "event_object_schema");

  /** The column that names the table which a row is about, where there is one in both flavours. */
  private static final Map<String, String> TABLE_COLUMNS =
      Map.ofEntries(
          entry("column_statistics", TABLE_NAME),
          entry("columns", TABLE_NAME),
          entry("columns_extensions", TABLE_NAME),
          entry("files", TABLE_NAME),
          entry("geometry_columns", "F_TABLE_NAME"),
          entry("key_column_usage", TABLE_NAME),
          entry("key_period_usage", TABLE_NAME),
          entry("partitions", TABLE_NAME),
          entry("periods", TABLE_NAME),
          entry("referential_constraints", TABLE_NAME),
          entry("sequences", "SEQUENCE_NAME"),
          entry("st_geometry_columns", TABLE_NAME),
          entry("statistics", TABLE_NAME),
          entry("table_constraints", TABLE_NAME),
          entry("table_constraints_extensions", TABLE_NAME),
          entry("tables", TABLE_NAME),
          entry("tables_extensions", TABLE_NAME),
          entry("triggers", "EVENT_OBJECT_TABLE"),
          entry("view_routine_usage", TABLE_NAME),
          entry("view_table_usage", "VIEW_NAME"),
          entry("views", TABLE_NAME));

  /** One of these is to be granted to see a row, where it is not one of those on tables. */
  private static final Map<String, Set<Privilege>> SEEN_BY =
      Map.of(
          "events",
          Set.of(Privilege.EVENT),
          "parameters",
          Privilege.OF_ROUTINES,
          "routines",
          Privilege.OF_ROUTINES,
          "triggers",
          Set.of(Privilege.TRIGGER));

  /** A column that tells a text which is not for all who see the row. */
  private record Text(String column, Set<Privilege> seenBy, String otherwise) {}

  private static final Map<String, Text> TEXTS =
      Map.of(
          "routines",
          new Text("ROUTINE_DEFINITION", Set.of(Privilege.ALTER_ROUTINE), "NULL"),
          "views",
          new Text("VIEW_DEFINITION", Set.of(Privilege.SHOW_VIEW), "''"));

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

  /**
   * The columns that name the database which a row of a table of {@code information_schema} is
   * about: the same in each of them.
   *
   * @param table in any case
   * @return in lower case
   */
  static Set<String> schemaColumns(String table) {
    String name = table.toLowerCase(Locale.ROOT);
    String one = SCHEMA_COLUMNS.getOrDefault(name, TABLE_SCHEMA).toLowerCase(Locale.ROOT);
    String other = SAME_COLUMNS.get(name);
    return other == null ? Set.of(one) : Set.of(one, other);
  }

  /**
   * The column that names the database of the table that a foreign key refers to: on the server of
   * the row's own.
   *
   * @param table in any case
   * @return in lower case; empty: the table has none
   */
  static String referencedColumn(String table) {
    return switch (table.toLowerCase(Locale.ROOT)) {
      case "key_column_usage" -> "referenced_table_schema";
      case "referential_constraints" -> "unique_constraint_schema";
      default -> "";
    };
  }

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

  /**
   * What a user sees of {@code table}: the rows of what is granted, without texts that are not for
   * the user.
   *
   * @param columns of the table, in its order
   * @param from the table itself, or a derived one
   * @param schemas what the rows call the user's databases, to their logical names
   */
  public static String seen(
      String table, List<String> columns, String from, Map<String, String> schemas, Grants grants) {
    String name = table.toLowerCase(Locale.ROOT);
    Set<Privilege> seenBy = SEEN_BY.getOrDefault(name, Privilege.OF_TABLES);
    Text text = TEXTS.get(name);
    String items = "*";
    if (text != null) {
      items =
          columns.stream()
              .map(column -> item(column, text, name, schemas, grants))
              .collect(Collectors.joining(", "));
    }
    return "SELECT %s FROM %s WHERE %s"
        .formatted(items, from, granted(name, schemas, grants, seenBy));
  }

  private static String item(
      String column, Text text, String table, Map<String, String> schemas, Grants grants) {
    String quoted = TableNames.quoted(column);
    return column.equalsIgnoreCase(text.column())
        ? "CASE WHEN %s THEN %s ELSE %s END AS %s"
            .formatted(
                granted(table, schemas, grants, text.seenBy()), quoted, text.otherwise(), quoted)
        : quoted;
  }

  /** A condition on rows: one of the privileges is granted on what they are about. */
  private static String granted(
      String table, Map<String, String> schemas, Grants grants, Set<Privilege> privileges) {
    String column = TABLE_COLUMNS.get(table);
    String schema = schemaColumn(table);
    var whole = new ArrayList<String>();
    var parts = new ArrayList<String>();
    schemas.forEach(
        (actual, logical) -> {
          boolean isSchema = column == null && schema.equals(SCHEMA_NAME);
          if (isSchema || grants.allowAny(privileges, logical, Grant.ANY)) {
            whole.add(TableNames.literal(actual));
            return;
          }
          String names =
              grants.tables(privileges, logical).stream()
                  .map(TableNames::literal)
                  .collect(Collectors.joining(", "));
          if (column != null && !names.isEmpty()) {
            parts.add(
                "(%s = %s AND %s IN (%s))"
                    .formatted(schema, TableNames.literal(actual), column, names));
          }
        });
    whole.add(TableNames.literal(CatalogueTable.SCHEMA));
    parts.addFirst("%s IN (%s)".formatted(schema, String.join(", ", whole)));
    return "(" + String.join(" OR ", parts) + ")";
  }
}
