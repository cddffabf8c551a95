package io.anabranch.rules.metadata;

import io.anabranch.rules.catalog.HiddenTables;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of sharded tables have together in a table of {@code information_schema}: counts
 * of rows and sizes are sums, and so are the different values of unique indexes; of other indexes,
 * whose values may repeat, the largest count. Asked of every endpoint when the statement is
 * planned. Used once.
 */
public final class CatalogueRows {

  /** How the values of the nodes become one. */
  private enum Merge {
    SUM,
    LARGEST
  }

  private static final String TABLE_NAME = "TABLE_NAME";
  private static final Map<String, Merge> SIZES =
      Map.of(
          "TABLE_ROWS",
          Merge.SUM,
          "DATA_LENGTH",
          Merge.SUM,
          "INDEX_LENGTH",
          Merge.SUM,
          "DATA_FREE",
          Merge.SUM,
          "AVG_ROW_LENGTH",
          Merge.LARGEST,
          "AUTO_INCREMENT",
          Merge.LARGEST);

  private static final Map<String, Map<String, Merge>> MERGED =
      Map.of("TABLES", SIZES, "PARTITIONS", SIZES, "STATISTICS", Map.of("CARDINALITY", Merge.SUM));

  /** Besides the table's name, what tells the rows of one node apart. */
  private static final Map<String, List<String>> KEYS =
      Map.of(
          "PARTITIONS",
          List.of("PARTITION_NAME", "SUBPARTITION_NAME"),
          "STATISTICS",
          List.of("NON_UNIQUE", "INDEX_NAME", "SEQ_IN_INDEX"));

  private final RuleSet rules;
  private final LogicalDatabase database;
  private final SchemaCatalog catalog;
  private final String table;
  private final Map<String, Map<String, String>> logical = new HashMap<>();

  /** Merged values by logical table and keys, then by column. */
  private final Map<List<@Nullable String>, Map<String, BigDecimal>> merged = new LinkedHashMap<>();

  /**
   * @param table of {@code information_schema}
   */
  public CatalogueRows(PlanTask task, String table) {
    this.rules = task.rules();
    this.database = task.database();
    this.catalog = task.catalog();
    this.table = table.toUpperCase(Locale.ROOT);
    for (ShardedTable sharded : database.shardedTables().values()) {
      for (DataNode node : sharded.nodes()) {
        logical
            .computeIfAbsent(node.dataSource(), source -> new HashMap<>())
            .put(node.table(), sharded.name());
      }
    }
  }

  /** Columns, in upper case, whose values belong to all nodes. */
  Set<String> columns() {
    return MERGED.getOrDefault(table, Map.of()).keySet();
  }

  /** Asks all endpoints. Blocks. */
  public void read(Set<String> existing) {
    List<String> keys = KEYS.getOrDefault(table, List.of());
    List<String> values = columns().stream().filter(existing::contains).sorted().toList();
    var wanted = new ArrayList<>(List.of(TABLE_NAME));
    wanted.addAll(keys);
    wanted.addAll(values);
    String sql =
        "SELECT "
            + String.join(", ", wanted)
            + " FROM information_schema."
            + table
            + " WHERE TABLE_SCHEMA = DATABASE()";
    for (String endpoint : database.endpoints()) {
      Map<String, String> names = logical.getOrDefault(endpoint, Map.of());
      for (List<@Nullable String> row : catalog.rows(endpoint, sql)) {
        String name = names.get(String.valueOf(row.getFirst()));
        if (name != null) {
          var key = new ArrayList<@Nullable String>(row.subList(0, keys.size() + 1));
          key.set(0, name);
          merge(key, values, row.subList(keys.size() + 1, row.size()));
        }
      }
    }
  }

  private void merge(
      List<@Nullable String> key, List<String> columns, List<@Nullable String> values) {
    Map<String, BigDecimal> row = merged.computeIfAbsent(key, first -> new HashMap<>());
    boolean mayRepeat = table.equals("STATISTICS") && "1".equals(key.get(1));
    for (int i = 0; i < columns.size(); i++) {
      String value = values.get(i);
      if (value != null) {
        Merge how = MERGED.getOrDefault(table, Map.of()).get(columns.get(i));
        boolean sums = how == Merge.SUM && !mayRepeat;
        row.merge(columns.get(i), new BigDecimal(value), sums ? BigDecimal::add : BigDecimal::max);
      }
    }
  }

  /**
   * The value of a merged column, for the node of each table that stands for all.
   *
   * @param shown actual names of these nodes to logical ones
   * @param unsigned whether it is a BIGINT UNSIGNED
   */
  public String cell(String column, Map<String, String> shown, boolean unsigned) {
    String upper = column.toUpperCase(Locale.ROOT);
    Map<String, String> actual = new HashMap<>();
    shown.forEach((node, name) -> actual.put(name, node));
    List<String> keys = KEYS.getOrDefault(table, List.of());
    var sql = new StringBuilder();
    merged.forEach(
        (key, values) -> {
          BigDecimal value = values.get(upper);
          String node = actual.get(String.valueOf(key.getFirst()));
          if (value == null || node == null) {
            return;
          }
          sql.append(" WHEN TABLE_NAME = ").append(TableNames.literal(node));
          for (int i = 0; i < keys.size(); i++) {
            String part = key.get(i + 1);
            sql.append(" AND ").append(keys.get(i)).append(" <=> ");
            sql.append(part == null ? "NULL" : TableNames.literal(part));
          }
          sql.append(unsigned ? " THEN CAST(" : " THEN ");
          sql.append(value.toPlainString()).append(unsigned ? " AS UNSIGNED)" : "");
        });
    String quoted = TableNames.quoted(column);
    return sql.isEmpty() ? quoted : "CASE" + sql + " ELSE " + quoted + " END";
  }

  /** Names on an endpoint that are no tables of their own there: other endpoints show them. */
  Set<String> hidden(String endpoint) {
    return HiddenTables.on(
        endpoint,
        rules,
        database,
        (table, node) -> node.equals(CatalogueTable.shownNode(database, table)));
  }
}
