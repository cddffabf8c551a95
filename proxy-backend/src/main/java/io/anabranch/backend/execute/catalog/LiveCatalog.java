package io.anabranch.backend.execute.catalog;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The planner's questions, answered by the databases. Tables and collations are remembered until
 * {@link #refresh}, of this catalogue or of another one of the database; that a table is absent is
 * not. What many ask at a time is asked once. Thread-safe; every method that asks may block.
 */
public final class LiveCatalog implements SchemaCatalog {

  private static final String CLOCK = "current_timestamp";
  private static final int COLUMN = 1;
  private static final int DEFAULT = 7;
  private static final int VIEW_DEFINITION = 8;
  private static final int HAS_DEFAULT = 9;
  private static final int VERSION = 10;
  private static final int CASE = 12;

  /** That one question is about. */
  private static final int MOST_TABLES = 50;

  private final NameMapping names;
  private final Predicate<String> reachable;
  private final Function<String, Lease> leases;
  private final String database;
  private final DefinitionChanges changes;
  private final Map<TableName, Known<TableSchema>> tables = new ConcurrentHashMap<>();
  private final Map<SourceText, Known<List<List<@Nullable String>>>> definitions =
      new ConcurrentHashMap<>();

  /**
   * What was told before definitions changed is nothing after it.
   *
   * @param at their number when it was asked for
   */
  private record Known<T>(T value, long at) {}

  private final Map<String, String> schemas = new ConcurrentHashMap<>();
  private final Map<TableName, CollationWeights> namedWeights = new ConcurrentHashMap<>();
  private final Map<String, String> versions = new ConcurrentHashMap<>();
  private final Map<String, String> cases = new ConcurrentHashMap<>();
  private final Map<CollationId, CollationWeights> weights = new ConcurrentHashMap<>();

  private final SameQuestions<Described, List<ResultColumn>> describing = new SameQuestions<>();
  private final SameQuestions<SomeTables, List<TableSchema>> reading = new SameQuestions<>();
  private final SameQuestions<Object, CollationWeights> weighing = new SameQuestions<>();
  private final SameQuestions<SourceText, String> texts = new SameQuestions<>();

  /**
   * @param database logical name, as errors tell it
   * @param reachable whether a data source or group answers, as far as is known; does not block
   * @param leases gives a lease of a data source, or of a group's primary; blocks; the catalog
   *     releases it
   * @param changes of definitions, by whatever configuration
   */
  public LiveCatalog(
      String database,
      Predicate<String> reachable,
      Function<String, Lease> leases,
      DefinitionChanges changes) {
    this.database = database;
    this.changes = changes;
    this.reachable = reachable;
    this.names = NameMapping.ofSchema(database);
    this.leases = leases;
  }

  private long now() {
    return changes.ofTables(database);
  }

  private @Nullable TableSchema known(TableName name) {
    Known<TableSchema> known = tables.get(name);
    return known == null || known.at != now() ? null : known.value;
  }

  @Override
  public boolean isReachable(String endpoint) {
    return reachable.test(endpoint);
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    var name = new TableName(dataSource, table);
    TableSchema known = known(name);
    if (known != null) {
      return Optional.of(known);
    }
    return tables(dataSource, List.of(table)).stream().findFirst();
  }

  @Override
  public Optional<TableSchema> current(String dataSource, String table) {
    return CatalogQuery.on(
            () -> leases.apply(dataSource),
            names,
            catalog -> read(catalog, dataSource, List.of(table)))
        .stream()
        .findFirst();
  }

  @Override
  public List<TableSchema> tables(String dataSource, List<String> names) {
    var found = new ArrayList<TableSchema>();
    List<String> unknown = unknown(dataSource, names, found);
    for (int from = 0; from < unknown.size(); from += MOST_TABLES) {
      List<String> some = unknown.subList(from, Math.min(unknown.size(), from + MOST_TABLES));
      found.addAll(
          reading.ask(
              new SomeTables(dataSource, List.copyOf(some), now()),
              () ->
                  CatalogQuery.on(
                      () -> leases.apply(dataSource),
                      this.names,
                      catalog -> asked(catalog, dataSource, some))));
    }
    return found;
  }

  /** Adds those that are known to {@code found} and returns the names of the others. */
  private List<String> unknown(String dataSource, List<String> names, List<TableSchema> found) {
    var unknown = new ArrayList<String>();
    for (String table : names) {
      TableSchema known = known(new TableName(dataSource, table));
      if (known == null) {
        unknown.add(table);
      } else {
        found.add(known);
      }
    }
    return unknown;
  }

  /**
   * One table's: MariaDB looks at all tables of the schema unless it is given one name. A view has
   * a row of its own, of number 0: servers tell no columns of one whose tables or columns are gone.
   */
  private static String columnsOf(String table) {
    String literal = TableNames.inBytes(table);
    return "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, EXTRA,"
        + " COLUMN_KEY, IFNULL(COLUMN_DEFAULT, ''), NULL, COLUMN_DEFAULT IS NOT NULL, VERSION(),"
        + " ORDINAL_POSITION,"
        + " CONCAT(@@lower_case_table_names, '')"
        + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "
        + literal
        + " UNION ALL SELECT TABLE_NAME, NULL, NULL, NULL, NULL, NULL, NULL, NULL, VIEW_DEFINITION,"
        + " NULL, VERSION(), 0, CONCAT(@@lower_case_table_names, '')"
        + " FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "
        + literal;
  }

  /** Those of other questions, which had the connection first, are not asked for again. */
  private List<TableSchema> asked(CatalogQuery catalog, String dataSource, List<String> names) {
    var found = new ArrayList<TableSchema>();
    List<String> unknown = unknown(dataSource, names, found);
    if (!unknown.isEmpty()) {
      found.addAll(read(catalog, dataSource, unknown));
    }
    return found;
  }

  /** As they are now, which is remembered. */
  private List<TableSchema> read(CatalogQuery catalog, String dataSource, List<String> names) {
    var found = new ArrayList<TableSchema>();
    long before = now();
    List<List<@Nullable String>> rows =
        catalog.rows(
            names.stream().map(LiveCatalog::columnsOf).collect(Collectors.joining(" UNION ALL "))
                + " ORDER BY 1, 12");
    for (String table : names) {
      List<List<@Nullable String>> own =
          rows.stream().filter(row -> isOf(table, cell(row, 0), cell(row, CASE))).toList();
      if (!own.isEmpty()) {
        TableSchema schema = withJson(catalog, schema(own), cell(own.getFirst(), VERSION));
        found.add(schema);
        tables.put(new TableName(dataSource, table), new Known<>(schema, before));
      }
    }
    return found;
  }

  /**
   * Whether a row tells of the table.
   *
   * @param mode {@code lower_case_table_names}
   */
  private static boolean isOf(String table, String told, String mode) {
    return SchemaCatalog.tellsCaseBy(mode) ? told.equals(table) : told.equalsIgnoreCase(table);
  }

  /**
   * MariaDB's JSON is a string with a CHECK, of which its list of columns says nothing. A table is
   * not opened for that: where the session itself has locked it, the question would wait for ever.
   */
  private static TableSchema withJson(CatalogQuery catalog, TableSchema schema, String version) {
    boolean strings = schema.columns().stream().anyMatch(column -> column.collation() != null);
    if (!strings || !version.contains("MariaDB")) {
      return schema;
    }
    if (schema.view() != null) {
      return catalog.withJson(schema);
    }
    Set<String> checks =
        catalog
            .rows(
                "SELECT CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS"
                    + " WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME = "
                    + TableNames.inBytes(schema.name()))
            .stream()
            .map(row -> lower(cell(row, 0)))
            .collect(Collectors.toSet());
    return new TableSchema(
        schema.name(),
        schema.columns().stream()
            .map(column -> checks.contains(jsonCheck(column)) ? column.asJson() : column)
            .toList(),
        schema.view());
  }

  private static String jsonCheck(Column column) {
    return "json_valid(" + TableNames.quoted(lower(column.name())) + ")";
  }

  @Override
  public List<String> tableNames(String dataSource) {
    List<List<@Nullable String>> rows =
        rows(
            dataSource,
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
                + " ORDER BY TABLE_NAME");
    var names = new ArrayList<String>(rows.size());
    rows.forEach(row -> names.add(cell(row, 0)));
    return names;
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    return describe(query, SessionSettings.INITIAL);
  }

  List<ResultColumn> describe(ShardQuery query, SessionSettings settings) {
    return describing.ask(
        described(query, settings, false),
        () ->
            CatalogQuery.on(
                () -> leases.apply(query.dataSource()),
                names,
                catalog -> catalog.describe(query, settings)));
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return describeOver(tables, query, SessionSettings.INITIAL);
  }

  List<ResultColumn> describeOver(
      Map<String, String> tables, ShardQuery query, SessionSettings settings) {
    return CatalogQuery.on(
        () -> leases.apply(query.dataSource()),
        names,
        catalog -> catalog.describeOver(tables, query, settings));
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    return made(name, create, SessionSettings.INITIAL);
  }

  MadeTable made(String name, ShardQuery create, SessionSettings settings) {
    return CatalogQuery.on(
        () -> leases.apply(create.dataSource()),
        names,
        catalog -> catalog.made(name, create, settings));
  }

  @Override
  public SchemaCatalog reading(Map<String, String> settings, int collation) {
    if (settings.isEmpty() && collation == 0) {
      return this;
    }
    SessionSettings session = SessionSettings.INITIAL.withCollation(collation);
    for (Map.Entry<String, String> variable : settings.entrySet()) {
      session = session.with(variable.getKey(), variable.getValue());
    }
    return new SessionCatalog(this, session);
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    return describeStored(query, SessionSettings.INITIAL);
  }

  List<ResultColumn> describeStored(ShardQuery query, SessionSettings settings) {
    return describing.ask(
        described(query, settings, true),
        () ->
            CatalogQuery.on(
                () -> leases.apply(query.dataSource()),
                names,
                catalog -> catalog.describeStored(query, settings)));
  }

  private Described described(ShardQuery query, SessionSettings settings, boolean isStored) {
    return new Described(
        query.dataSource(), ByteBuffer.wrap(query.sql()), settings, isStored, now());
  }

  @Override
  public CollationWeights weights(String dataSource, int id) {
    var collation = new CollationId(dataSource, id);
    CollationWeights known = weights.get(collation);
    if (known == null) {
      known =
          weighing.ask(
              collation,
              () ->
                  CatalogQuery.on(
                      () -> leases.apply(dataSource),
                      names,
                      catalog -> new WeightsQuery(catalog, id).answer()));
      weights.put(collation, known);
    }
    return known;
  }

  @Override
  public CollationWeights weights(String dataSource, String collation) {
    var name = new TableName(dataSource, collation);
    CollationWeights known = namedWeights.get(name);
    if (known == null) {
      known =
          weighing.ask(
              name,
              () ->
                  CatalogQuery.on(
                      () -> leases.apply(dataSource),
                      names,
                      catalog -> new WeightsQuery(catalog, 0).answer(collation)));
      namedWeights.put(name, known);
    }
    return known;
  }

  /** As what it was when it was first asked: nobody puts one in the other's place. */
  @Override
  public boolean isMariaDb(String dataSource) {
    String known = versions.get(dataSource);
    if (known == null) {
      known = text(dataSource, "SELECT VERSION()");
      versions.put(dataSource, known);
    }
    return known.contains("MariaDB");
  }

  @Override
  public boolean knowsKind(String dataSource) {
    return versions.containsKey(dataSource);
  }

  /** Servers keep it for their life, and cannot be given another value for the same files. */
  @Override
  public boolean tellsCase(String dataSource) {
    String known = cases.get(dataSource);
    if (known == null) {
      known = text(dataSource, "SELECT CONCAT(@@lower_case_table_names, '')");
      cases.put(dataSource, known);
    }
    return SchemaCatalog.tellsCaseBy(known);
  }

  @Override
  public String defaultSchema(String dataSource) {
    String known = schemas.get(dataSource);
    if (known == null) {
      known = text(dataSource, "SELECT IFNULL(DATABASE(), '')");
      schemas.put(dataSource, known);
    }
    return known;
  }

  private String text(String dataSource, String sql) {
    return texts.ask(
        new SourceText(dataSource, sql), () -> cell(rows(dataSource, sql).getFirst(), 0));
  }

  /** Actual names are not derived from the logical one here, so that everything is forgotten. */
  @Override
  public void refresh(@Nullable String table) {
    changes.tablesChanged(database);
    tables.clear();
    definitions.clear();
  }

  @Override
  public List<List<@Nullable String>> rows(String dataSource, String sql, LongConsumer kept) {
    return CatalogQuery.on(
        () -> leases.apply(dataSource), names, catalog -> catalog.rows(sql, kept));
  }

  List<List<@Nullable String>> rows(ShardQuery query, SessionSettings settings) {
    return CatalogQuery.on(
        () -> leases.apply(query.dataSource()), names, catalog -> catalog.rows(query, settings));
  }

  @Override
  public List<List<@Nullable String>> definitions(String dataSource, String sql) {
    var asked = new SourceText(dataSource, sql);
    long before = now();
    Known<List<List<@Nullable String>>> known = definitions.get(asked);
    if (known != null && known.at == before) {
      return known.value;
    }
    List<List<@Nullable String>> rows = rows(dataSource, sql);
    definitions.put(asked, new Known<>(rows, before));
    return rows;
  }

  /** All rows are of one table, a view's own in front. */
  private static TableSchema schema(List<List<@Nullable String>> rows) {
    var columns = new ArrayList<Column>(rows.size());
    for (List<@Nullable String> row : rows) {
      if (row.get(COLUMN) == null) {
        continue;
      }
      String extra = lower(cell(row, 5));
      Column column =
          new Column(
              cell(row, COLUMN),
              cell(row, 2),
              row.get(3),
              cell(row, 4).equals("YES"),
              extra.contains("auto_increment"),
              cell(row, 6).equals("PRI"),
              extra.contains("virtual generated") || extra.contains("stored generated"),
              extra.contains(CLOCK) || lower(cell(row, DEFAULT)).startsWith(CLOCK),
              extra.contains("invisible"),
              cell(row, 4).equals("NO")
                  && cell(row, HAS_DEFAULT).equals("0")
                  && !extra.contains("auto_increment"));
      columns.add(isDefaulted(row) ? column.withDefault() : column);
    }
    return new TableSchema(cell(rows.getFirst(), 0), columns, rows.getFirst().get(VIEW_DEFINITION));
  }

  /** MariaDB tells a default as SQL, NULL as well. */
  private static boolean isDefaulted(List<@Nullable String> row) {
    boolean isNull = cell(row, DEFAULT).equals("NULL") && cell(row, VERSION).contains("MariaDB");
    return cell(row, HAS_DEFAULT).equals("1") && !isNull;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static String cell(List<@Nullable String> row, int column) {
    String cell = row.get(column);
    if (cell == null) {
      throw new IllegalStateException("NULL in information_schema, column " + column);
    }
    return cell;
  }

  /** Of a table or collation in a data source. */
  private record TableName(String dataSource, String table) {}

  private record CollationId(String dataSource, int id) {}

  // Questions. What was asked before a definition changed is no answer to what is asked after it.

  private record SomeTables(String dataSource, List<String> names, long refreshes) {}

  private record Described(
      String dataSource,
      ByteBuffer sql,
      SessionSettings settings,
      boolean isStored,
      long refreshes) {}

  private record SourceText(String dataSource, String sql) {}
}
