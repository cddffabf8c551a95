package io.anabranch.backend.execute;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.planner.SchemaCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The planner's questions, answered by the databases. Tables and collations are remembered until
 * {@link #refresh}; that a table is absent is not. Thread-safe; every method may block.
 */
public final class LiveCatalog implements SchemaCatalog {

  private static final String CLOCK = "current_timestamp";
  private static final int VIEW_DEFINITION = 8;
  private static final int HAS_DEFAULT = 9;

  private final NameMapping names;
  private final Predicate<String> reachable;
  private final Function<String, Lease> leases;
  private final Map<TableName, TableSchema> tables = new ConcurrentHashMap<>();

  /** What was asked before one is not remembered after it. */
  private final AtomicLong refreshes = new AtomicLong();

  private final Map<String, String> schemas = new ConcurrentHashMap<>();
  private final Map<CollationId, byte[]> padWeights = new ConcurrentHashMap<>();

  /**
   * @param database logical name, as errors tell it
   * @param reachable whether a data source or group answers, as far as is known; does not block
   * @param leases gives a lease of a data source, or of a group's primary; blocks; the catalog
   *     releases it
   */
  public LiveCatalog(String database, Predicate<String> reachable, Function<String, Lease> leases) {
    this.reachable = reachable;
    this.names = NameMapping.ofSchema(database);
    this.leases = leases;
  }

  @Override
  public boolean isReachable(String endpoint) {
    return reachable.test(endpoint);
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    var name = new TableName(dataSource, table);
    TableSchema known = tables.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    long before = refreshes.get();
    List<List<@Nullable String>> rows =
        rows(
            dataSource,
            "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, EXTRA,"
                + " COLUMN_KEY, IFNULL(COLUMN_DEFAULT, ''),"
                + " (SELECT VIEW_DEFINITION FROM information_schema.VIEWS"
                + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "
                + CatalogQuery.literal(table)
                + "), COLUMN_DEFAULT IS NOT NULL FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
                + " AND TABLE_NAME = "
                + CatalogQuery.literal(table)
                + " ORDER BY TABLE_NAME, ORDINAL_POSITION");
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    TableSchema schema = schema(table, rows);
    if (before == refreshes.get()) {
      tables.put(name, schema);
    }
    return Optional.of(schema);
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
    return CatalogQuery.on(
        leases.apply(query.dataSource()), names, catalog -> catalog.describe(query, settings));
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return describeOver(tables, query, SessionSettings.INITIAL);
  }

  List<ResultColumn> describeOver(
      Map<String, String> tables, ShardQuery query, SessionSettings settings) {
    return CatalogQuery.on(
        leases.apply(query.dataSource()),
        names,
        catalog -> catalog.describeOver(tables, query, settings));
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    return made(name, create, SessionSettings.INITIAL);
  }

  MadeTable made(String name, ShardQuery create, SessionSettings settings) {
    return CatalogQuery.on(
        leases.apply(create.dataSource()), names, catalog -> catalog.made(name, create, settings));
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
    return CatalogQuery.on(
        leases.apply(query.dataSource()),
        names,
        catalog -> catalog.describeStored(query, settings));
  }

  @Override
  public byte[] padWeight(String dataSource, int id) {
    var collation = new CollationId(dataSource, id);
    byte[] known = padWeights.get(collation);
    if (known == null) {
      known =
          CatalogQuery.on(
              leases.apply(dataSource), names, catalog -> new PadWeightQuery(catalog, id).answer());
      padWeights.put(collation, known);
    }
    return known.clone();
  }

  @Override
  public String defaultSchema(String dataSource) {
    String known = schemas.get(dataSource);
    if (known == null) {
      known = cell(rows(dataSource, "SELECT IFNULL(DATABASE(), '')").getFirst(), 0);
      schemas.put(dataSource, known);
    }
    return known;
  }

  /** Actual names are not derived from the logical one here, so that everything is forgotten. */
  @Override
  public void refresh(@Nullable String table) {
    refreshes.incrementAndGet();
    tables.clear();
  }

  @Override
  public List<List<@Nullable String>> rows(String dataSource, String sql) {
    return CatalogQuery.on(leases.apply(dataSource), names, catalog -> catalog.rows(sql));
  }

  /** On a server that tells upper from lower case the query may find several tables. */
  private static TableSchema schema(String table, List<List<@Nullable String>> rows) {
    boolean exact = rows.stream().anyMatch(row -> cell(row, 0).equals(table));
    String name = exact ? table : cell(rows.getFirst(), 0);
    var columns = new ArrayList<Column>(rows.size());
    for (List<@Nullable String> row : rows) {
      if (cell(row, 0).equals(name)) {
        String extra = lower(cell(row, 5));
        columns.add(
            new Column(
                cell(row, 1),
                cell(row, 2),
                row.get(3),
                cell(row, 4).equals("YES"),
                extra.contains("auto_increment"),
                cell(row, 6).equals("PRI"),
                extra.contains("virtual generated") || extra.contains("stored generated"),
                extra.contains(CLOCK) || lower(cell(row, 7)).startsWith(CLOCK),
                extra.contains("invisible"),
                cell(row, 4).equals("NO")
                    && cell(row, HAS_DEFAULT).equals("0")
                    && !extra.contains("auto_increment")));
      }
    }
    return new TableSchema(name, columns, rows.getFirst().get(VIEW_DEFINITION));
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

  private record TableName(String dataSource, String table) {}

  private record CollationId(String dataSource, int id) {}
}
