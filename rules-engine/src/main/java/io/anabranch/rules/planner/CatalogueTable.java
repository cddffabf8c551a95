package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.sql.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tables of {@code information_schema} as the logical database shows them: a derived table in which
 * the schema and one node of each sharded table have their logical names, the other nodes and the
 * server's other databases do not occur. What other data sources have is not in it.
 */
final class CatalogueTable {

  static final String SCHEMA = "information_schema";

  private final LogicalDatabase database;
  private final SchemaCatalog catalog;
  private final String endpoint;
  private final PermittedDatabases permitted;
  private final SourceEdits edits;

  CatalogueTable(PlanTask task, SourceEdits edits) {
    this.database = task.database();
    this.catalog = task.catalog();
    this.permitted = task.scope().permitted();
    this.endpoint = database.endpoints().getFirst();
    this.edits = edits;
  }

  static boolean isMentioned(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token)
          && tokens.isPunctuation(token + 1, '.')
          && tokens.name(token).equalsIgnoreCase(SCHEMA)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Puts the derived table in the place of {@code information_schema.x}.
   *
   * @throws io.anabranch.rules.error.RefusedException 1227 for a table of administrators
   */
  void replace(TableRef ref) {
    if (!permitted.isAll()) {
      SystemTables.schemaColumn(ref.name());
    }
    int first = ref.qualifierToken();
    int name = first + 2;
    var columns = new ArrayList<String>();
    for (ResultColumn column :
        catalog.describe(
            ShardQuery.text(
                endpoint,
                edits
                    .source()
                    .encode("SELECT * FROM " + SCHEMA + "." + TableNames.quoted(ref.name()))))) {
      columns.add(asWritten(column.name()));
    }
    String alias = ref.aliased() ? "" : " AS " + edits.source().tokens().text(name);
    edits.replace(
        edits.start(first),
        edits.end(name),
        List.of(edits.text("(" + sql(ref.name(), columns) + ")" + alias)));
  }

  /** Result columns are called as the statement calls them: {@code table_name}. */
  private String asWritten(String column) {
    SqlTokens tokens = edits.source().tokens();
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token) && tokens.name(token).equalsIgnoreCase(column)) {
        return tokens.name(token);
      }
    }
    return column;
  }

  private String sql(String table, List<String> columns) {
    var sql = new StringBuilder("SELECT ");
    String schema = "";
    boolean tables = false;
    String comma = "";
    for (String column : columns) {
      String upper = column.toUpperCase(Locale.ROOT);
      sql.append(comma).append(cell(column, upper));
      comma = ", ";
      if (schema.isEmpty() && namesSchema(upper)) {
        schema = column;
      }
      tables |= upper.equals("TABLE_NAME");
    }
    sql.append(" FROM ").append(SCHEMA).append('.').append(TableNames.quoted(table));
    if (!schema.isEmpty()) {
      sql.append(" WHERE ").append(schema).append(" IN (DATABASE(), '").append(SCHEMA).append("')");
      String hidden = tables ? hidden() : "";
      if (!hidden.isEmpty()) {
        sql.append(" AND NOT (").append(schema).append(" = DATABASE() AND TABLE_NAME IN (");
        sql.append(hidden).append("))");
      }
    }
    return sql.toString();
  }

  private static boolean namesSchema(String upper) {
    return upper.endsWith("_SCHEMA") || upper.equals("SCHEMA_NAME");
  }

  private String cell(String column, String upper) {
    if (namesSchema(upper)) {
      return "IF("
          + column
          + " = DATABASE(), "
          + TableListing.literal(database.name())
          + ", "
          + column
          + ") AS "
          + column;
    }
    if (upper.equals("VIEW_DEFINITION")) {
      return definition(column);
    }
    boolean namesTable =
        upper.equals("TABLE_NAME")
            || upper.equals("REFERENCED_TABLE_NAME")
            || upper.equals("EVENT_OBJECT_TABLE");
    Map<String, String> logical = namesTable ? shown() : Map.of();
    if (logical.isEmpty()) {
      return TableNames.quoted(column) + " AS " + TableNames.quoted(column);
    }
    var sql = new StringBuilder("CASE ").append(column);
    logical.forEach(
        (actual, name) ->
            sql.append(" WHEN ")
                .append(TableListing.literal(actual))
                .append(" THEN ")
                .append(TableListing.literal(name)));
    return sql.append(" ELSE ").append(column).append(" END AS ").append(column).toString();
  }

  /** The text of a view in logical names. */
  private String definition(String column) {
    String own = "`" + catalog.defaultSchema(endpoint) + "`.";
    String shown = "`" + database.name() + "`.";
    String text = column;
    for (ShardedTable table : database.shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(endpoint)) {
          String logical = TableNames.quoted(table.name());
          String actual = own + TableNames.quoted(node.table());
          text = replaced(text, actual + " " + logical, shown + logical);
          text = replaced(text, actual, shown + logical);
          break;
        }
      }
    }
    return replaced(text, own, shown) + " AS " + column;
  }

  private static String replaced(String text, String from, String to) {
    return "REPLACE("
        + text
        + ", "
        + TableListing.literal(from)
        + ", "
        + TableListing.literal(to)
        + ")";
  }

  /** The first node of each sharded table on this data source, by its actual name. */
  private Map<String, String> shown() {
    var shown = new TreeMap<String, String>();
    for (ShardedTable table : database.shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(endpoint)) {
          shown.put(node.table(), table.name());
          break;
        }
      }
    }
    return shown;
  }

  private String hidden() {
    Map<String, String> shown = shown();
    var hidden = new TreeSet<String>();
    for (ShardedTable table : database.shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(endpoint) && !shown.containsKey(node.table())) {
          hidden.add(TableListing.literal(node.table()));
        }
      }
    }
    return String.join(", ", hidden);
  }
}
