package io.anabranch.rules.metadata;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tables of {@code information_schema} as the logical database shows them: a derived table in which
 * the schema and one node of each sharded table have their logical names, the other nodes and the
 * server's other databases do not occur. What other data sources have besides is in it as it was
 * when the statement was planned: such plans are not kept.
 */
public final class CatalogueTable {

  public static final String SCHEMA = "information_schema";

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SchemaCatalog catalog;
  private final String endpoint;
  private final PermittedDatabases permitted;
  private final SourceEdits edits;
  private final Statement statement;

  /**
   * What the statement says of all its tables.
   *
   * @param items names as select lists write them, by lower-case names
   */
  private record Statement(WantedSchemas wanted, Map<String, String> items) {}

  public CatalogueTable(PlanTask task, SourceEdits edits) {
    this(task, edits, said(task, edits.source().tokens()));
  }

  private CatalogueTable(PlanTask task, SourceEdits edits, Statement statement) {
    this.task = task;
    this.database = task.database();
    this.catalog = task.catalog();
    this.permitted = task.scope().permitted();
    this.endpoint = database.endpoints().getFirst();
    this.edits = edits;
    this.statement = statement;
  }

  private static Statement said(PlanTask task, SqlTokens tokens) {
    Map<String, String> items = new HashMap<>();
    List<SelectSpans> selects = SelectSpans.of(tokens);
    int[] owners = SelectSpans.owners(selects, tokens.size());
    for (int token : tokens.all().names()) {
      if (owners[token] >= 0 && token < selects.get(owners[token]).from().first()) {
        items.putIfAbsent(tokens.lowerName(token), tokens.name(token));
      }
    }
    return new Statement(new WantedSchemas(task, tokens), items);
  }

  public static boolean isMentioned(SqlTokens tokens) {
    return tokens
        .all()
        .has(
            token ->
                tokens.isName(token)
                    && tokens.isPunctuation(token + 1, '.')
                    && tokens.name(token).equalsIgnoreCase(SCHEMA));
  }

  /**
   * Puts the derived table in the place of {@code information_schema.x}.
   *
   * @return its columns, in upper case, whose names MySQL tells as its views have them, however a
   *     query writes them; none on MariaDB
   * @throws io.anabranch.rules.error.RefusedException 1227 for a table of administrators
   */
  public Set<String> replace(TableRef ref) {
    if (!permitted.isAll()) {
      SystemTables.schemaColumn(ref.name());
    }
    int first = ref.qualifierToken();
    int name = first + 2;
    List<ResultColumn> columns =
        catalog.describe(
            ShardQuery.text(
                endpoint,
                edits
                    .source()
                    .encode("SELECT * FROM " + SCHEMA + "." + TableNames.quoted(ref.name()))));
    String alias = ref.aliased() ? "" : " AS " + edits.source().tokens().text(name);
    var others = new SeenDatabases(task, statement.wanted().of(first));
    String seen = granted(ref.name(), columns, sql(ref.name(), columns, others));
    edits.derive(first, name + 1, ref.aliased(), List.of(edits.text("(" + seen + ")" + alias)));
    return isMariaDb()
        ? Set.of()
        : columns.stream()
            .map(column -> column.name().toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }

  /** Only what is granted; schemas have their logical names. */
  private String granted(String table, List<ResultColumn> columns, String sql) {
    if (permitted.grants().isUnlimited() || SystemTables.schemaColumn(table).isEmpty()) {
      return sql;
    }
    var schemas = new TreeMap<String, String>();
    for (LogicalDatabase other : task.rules().databases().values()) {
      if (permitted.has(other.name())) {
        schemas.put(other.name(), other.name());
      }
    }
    List<String> names = columns.stream().map(column -> asWritten(column.name())).toList();
    return SystemTables.seen(table, names, "(" + sql + ") AS of_all", schemas, permitted.grants());
  }

  /** MariaDB calls result columns as the select items call them: {@code table_name}. */
  private String asWritten(String column) {
    String item = statement.items().get(column.toLowerCase(Locale.ROOT));
    return item != null && isMariaDb() ? item : column;
  }

  /** MySQL calls the columns of its views by their own names. */
  private boolean isMariaDb() {
    return catalog.isMariaDb(endpoint);
  }

  /** The first endpoint is asked when the statement runs, the others have been asked then. */
  private String sql(String table, List<ResultColumn> columns, SeenDatabases seen) {
    Set<String> existing =
        columns.stream()
            .map(column -> column.name().toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    String schema =
        columns.stream()
            .map(ResultColumn::name)
            .filter(column -> namesSchema(column.toUpperCase(Locale.ROOT)))
            .findFirst()
            .orElse("");
    var rows = new CatalogueRows(task, table);
    OfTables named = OfTables.of(table, existing);
    boolean ofTables = !schema.isEmpty() && named != null;
    if (ofTables && !rows.columns().isEmpty()) {
      rows.read(existing);
    }
    var sql = new StringBuilder(leg(endpoint, table, columns, rows, seen));
    if (schema.isEmpty()) {
      return sql.toString();
    }
    sql.append(" WHERE ")
        .append(schema)
        .append(" IN (DATABASE(), ")
        .append(TableNames.literal(SCHEMA));
    seen.here().keySet().forEach(name -> sql.append(", ").append(TableNames.literal(name)));
    sql.append(')');
    Set<String> hidden = named == null ? Set.of() : rows.hidden(endpoint);
    if (named != null && !hidden.isEmpty()) {
      sql.append(" AND NOT (")
          .append(schema)
          .append(" = DATABASE() AND ")
          .append(named.isOneOf(hidden))
          .append(')');
    }
    for (String other : database.endpoints()) {
      if (named != null && !other.equals(endpoint)) {
        var asked = new StringBuilder(leg(other, table, columns, rows, seen));
        asked.append(" WHERE ").append(schema).append(" = DATABASE()");
        asked.append(named.isNone(rows.hidden(other)));
        for (List<@Nullable String> row : catalog.rows(other, asked.toString())) {
          sql.append(" UNION ALL SELECT ").append(CatalogueCells.of(row, columns));
        }
      }
    }
    for (LogicalDatabase other : seen.elsewhere()) {
      List<List<@Nullable String>> told =
          other.isEmpty() ? nameOf(other, table, columns) : of(other).rows(table, columns);
      for (List<@Nullable String> row : told) {
        sql.append(" UNION ALL SELECT ").append(CatalogueCells.of(row, columns));
      }
    }
    return sql.toString();
  }

  /** What is to be told of a database that has no data source yet. */
  private static List<List<@Nullable String>> nameOf(
      LogicalDatabase other, String table, List<ResultColumn> columns) {
    if (!table.equalsIgnoreCase("SCHEMATA")) {
      return List.of();
    }
    var row = new ArrayList<@Nullable String>();
    for (ResultColumn column : columns) {
      row.add(
          switch (column.name().toUpperCase(Locale.ROOT)) {
            case "CATALOG_NAME" -> "def";
            case "SCHEMA_NAME" -> other.name();
            case "DEFAULT_CHARACTER_SET_NAME" -> "utf8mb4";
            case "DEFAULT_COLLATION_NAME" -> "utf8mb4_general_ci";
            case "DEFAULT_ENCRYPTION" -> "NO";
            case "SCHEMA_COMMENT" -> "";
            default -> null;
          });
    }
    return List.of(row);
  }

  /** The same table as another database has it. */
  private CatalogueTable of(LogicalDatabase other) {
    PlanScope scope = task.scope();
    var there =
        new PlanScope(other, scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes());
    return new CatalogueTable(
        task.of(task.scan(), there, task.catalogs().apply(other)),
        new SourceEdits(edits.source()),
        statement);
  }

  /**
   * The database's own rows, asked of its data sources. Blocks.
   *
   * @param columns that the rows are to have
   */
  private List<List<@Nullable String>> rows(String table, List<ResultColumn> columns) {
    String any = "SELECT * FROM " + SCHEMA + "." + TableNames.quoted(table);
    Set<String> existing =
        catalog.describe(ShardQuery.text(endpoint, edits.source().encode(any))).stream()
            .map(column -> column.name().toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    List<ResultColumn> has =
        columns.stream()
            .filter(column -> existing.contains(column.name().toUpperCase(Locale.ROOT)))
            .toList();
    String schema =
        has.stream()
            .map(ResultColumn::name)
            .filter(column -> namesSchema(column.toUpperCase(Locale.ROOT)))
            .findFirst()
            .orElse("");
    var found = new ArrayList<List<@Nullable String>>();
    if (schema.isEmpty()) {
      return found;
    }
    var rows = new CatalogueRows(task, table);
    OfTables named = OfTables.of(table, existing);
    boolean ofTables = named != null;
    if (ofTables && !rows.columns().isEmpty()) {
      rows.read(existing);
    }
    var none = new SeenDatabases(task, Set.of());
    for (String source : ofTables ? database.endpoints() : List.of(endpoint)) {
      var asked = new StringBuilder(leg(source, table, has, rows, none));
      asked.append(" WHERE ").append(schema).append(" = DATABASE()");
      asked.append(named == null ? "" : named.isNone(rows.hidden(source)));
      for (List<@Nullable String> row : catalog.rows(source, asked.toString())) {
        found.add(widened(row, has, columns));
      }
    }
    return found;
  }

  /** With NULL for the columns that this server does not have. */
  private static List<@Nullable String> widened(
      List<@Nullable String> row, List<ResultColumn> has, List<ResultColumn> wanted) {
    var wide = new ArrayList<@Nullable String>(wanted.size());
    int next = 0;
    for (ResultColumn column : wanted) {
      boolean isThere = next < has.size() && has.get(next).equals(column);
      wide.add(isThere ? row.get(next) : null);
      next += isThere ? 1 : 0;
    }
    return wide;
  }

  /** What one endpoint has. */
  private String leg(
      String source,
      String table,
      List<ResultColumn> columns,
      CatalogueRows rows,
      SeenDatabases seen) {
    var sql = new StringBuilder("SELECT ");
    String comma = "";
    for (ResultColumn column : columns) {
      String name = asWritten(column.name());
      String upper = name.toUpperCase(Locale.ROOT);
      boolean isMerged = rows.columns().contains(upper);
      boolean unsigned = (column.flags() & CatalogueCells.UNSIGNED) != 0;
      sql.append(comma)
          .append(
              isMerged
                  ? rows.cell(name, shown(source), unsigned) + " AS " + TableNames.quoted(name)
                  : cell(source, name, upper, seen));
      comma = ", ";
    }
    return sql.append(" FROM ")
        .append(SCHEMA)
        .append('.')
        .append(TableNames.quoted(table))
        .toString();
  }

  private static boolean namesSchema(String upper) {
    return upper.endsWith("_SCHEMA") || upper.equals("SCHEMA_NAME");
  }

  private String cell(String source, String column, String upper, SeenDatabases seen) {
    if (namesSchema(upper) && source.equals(endpoint) && !seen.here().isEmpty()) {
      return schemaCell(column, seen);
    }
    if (namesSchema(upper)) {
      return "IF("
          + column
          + " = DATABASE(), "
          + TableNames.literal(database.name())
          + ", "
          + column
          + ") AS "
          + column;
    }
    boolean isText =
        upper.equals("VIEW_DEFINITION")
            || upper.equals("ROUTINE_DEFINITION")
            || upper.equals("EVENT_DEFINITION");
    if (isText) {
      return definition(source, column);
    }
    if (upper.equals("TRIGGER_NAME")) {
      return new TriggerCells(shown(source)).name() + " AS " + column;
    }
    if (upper.equals("ACTION_STATEMENT")) {
      return new TriggerCells(shown(source)).statement() + " AS " + column;
    }
    if (upper.equals("CONSTRAINT_NAME")) {
      return OfTables.constraint(column, shown(source)) + " AS " + TableNames.quoted(column);
    }
    boolean namesTable =
        upper.equals("TABLE_NAME")
            || upper.equals("REFERENCED_TABLE_NAME")
            || upper.equals("EVENT_OBJECT_TABLE");
    Map<String, String> logical = namesTable ? shown(source) : Map.of();
    if (logical.isEmpty()) {
      return TableNames.quoted(column) + " AS " + TableNames.quoted(column);
    }
    var sql = new StringBuilder("CASE ").append(column);
    logical.forEach(
        (actual, name) ->
            sql.append(" WHEN ")
                .append(TableNames.literal(actual))
                .append(" THEN ")
                .append(TableNames.literal(name)));
    return sql.append(" ELSE ").append(column).append(" END AS ").append(column).toString();
  }

  /** Of a server with several databases of the proxy. */
  private String schemaCell(String column, SeenDatabases seen) {
    var sql = new StringBuilder("CASE ").append(column).append(" WHEN DATABASE() THEN ");
    sql.append(TableNames.literal(database.name()));
    seen.here()
        .forEach(
            (actual, logical) ->
                sql.append(" WHEN ")
                    .append(TableNames.literal(actual))
                    .append(" THEN ")
                    .append(TableNames.literal(logical)));
    return sql.append(" ELSE ").append(column).append(" END AS ").append(column).toString();
  }

  /** The text of a view in logical names. */
  private String definition(String source, String column) {
    String own = "`" + catalog.defaultSchema(source) + "`.";
    String shown = "`" + database.name() + "`.";
    String text = column;
    for (ShardedTable table : database.shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(source)) {
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
        + TableNames.literal(from)
        + ", "
        + TableNames.literal(to)
        + ")";
  }

  /** Nodes of an endpoint that stand for their tables, by their actual names. */
  private Map<String, String> shown(String source) {
    var shown = new TreeMap<String, String>();
    for (ShardedTable table : database.shardedTables().values()) {
      DataNode node = shownNode(database, table);
      if (node.dataSource().equals(source)) {
        shown.put(node.table(), table.name());
      }
    }
    return shown;
  }

  /** The node whose rows stand for all: one on the first endpoint if there is one. */
  public static DataNode shownNode(LogicalDatabase database, ShardedTable table) {
    String first = database.endpoints().getFirst();
    return table.nodes().stream()
        .filter(node -> node.dataSource().equals(first))
        .findFirst()
        .orElse(table.nodes().getFirst());
  }
}
