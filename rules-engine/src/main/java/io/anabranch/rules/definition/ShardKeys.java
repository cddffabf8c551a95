package io.anabranch.rules.definition;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which keys of a sharded table the databases keep unique: each node looks at its own rows only, so
 * that a key has to hold what places a row, or to be made by the proxy.
 */
public final class ShardKeys {

  /** Code of the warnings, as SHOW WARNINGS has it. */
  public static final int WARNING_CODE = 32050;

  private final ShardedTable table;
  private final Set<String> columns;
  private final boolean isPlacedByColumns;

  /** Deciding columns of which equal values may lie on different nodes. */
  private final List<String> unsure;

  /** Of a table whose columns are not known yet: they count as sure. */
  public ShardKeys(ShardedTable table) {
    this(table, column -> true);
  }

  /** Of a table that is there. */
  public static ShardKeys of(ShardedTable table, TableDefinition definition) {
    return new ShardKeys(table, column -> definition.keyType(column).isSure());
  }

  private ShardKeys(ShardedTable table, Predicate<String> sure) {
    this.table = table;
    Map<String, Set<String>> tablesOf = new HashMap<>();
    for (DataNode node : table.nodes()) {
      tablesOf.computeIfAbsent(node.dataSource(), name -> new LinkedHashSet<>()).add(node.table());
    }
    boolean severalSources = tablesOf.size() > 1;
    boolean byDatabase = !(table.databaseStrategy() instanceof ShardingStrategy.None);
    boolean severalTables =
        tablesOf.values().stream().anyMatch(tables -> tables.size() > 1)
            || (severalSources && !byDatabase);
    var deciding = new LinkedHashSet<String>();
    boolean known = true;
    if (severalSources && byDatabase) {
      known = add(table.databaseStrategy(), deciding);
    }
    if (severalTables) {
      known &= add(table.tableStrategy(), deciding);
    }
    columns = Set.copyOf(deciding);
    isPlacedByColumns = known;
    unsure = deciding.stream().filter(sure.negate()).toList();
  }

  private static boolean add(ShardingStrategy strategy, Set<String> columns) {
    return switch (strategy) {
      case ShardingStrategy.Standard standard -> {
        columns.add(standard.column().toLowerCase(Locale.ROOT));
        yield true;
      }
      case ShardingStrategy.Complex complex -> {
        complex.columns().forEach(column -> columns.add(column.toLowerCase(Locale.ROOT)));
        yield true;
      }
      case ShardingStrategy.Hint ignored -> false;
      case ShardingStrategy.None ignored -> false;
    };
  }

  /** Lower-case names of the columns that decide on which node a row lies. */
  public Set<String> columns() {
    return columns;
  }

  /** Whether rows of several nodes may have the same values of the key. */
  public boolean mayRepeat(TableKey key) {
    boolean sure = isPlacedByColumns && unsure.isEmpty() && key.holdsAll(columns);
    return table.nodes().size() > 1 && key.unique() && !sure;
  }

  /** The same of keys that clients give values to. */
  public boolean isLoose(TableKey key) {
    return mayRepeat(key) && !isGenerated(key);
  }

  /** Keys of which {@link #isLoose} is true. */
  public List<TableKey> loose(List<TableKey> keys) {
    return keys.stream().filter(this::isLoose).toList();
  }

  /** Whether the proxy makes one of its columns. */
  private boolean isGenerated(TableKey key) {
    String column = generated();
    return column != null && key.hasWhole(column);
  }

  private @Nullable String generated() {
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    return generation == null ? null : generation.column();
  }

  /** What a client is told of such a key. */
  public String warning(TableKey key) {
    return "AB2050: "
        + key.called()
        + " of the sharded table '"
        + table.name()
        + "' is unique on each node only: "
        + why(key)
        + ", or have it made by a keyGenerateStrategy; CHECK TABLE "
        + table.name()
        + " ACROSS SHARDS finds duplicates";
  }

  /** Why rows of several nodes may have the same values of the key, and the way out. */
  public String why(TableKey key) {
    if (columns.isEmpty() || !isPlacedByColumns) {
      return "rows are placed by a hint; place them by columns of the key";
    }
    return key.holdsAll(columns)
        ? "equal values of its sharding column "
            + String.join(", ", unsure)
            + " may be different texts, which lie on different nodes; give it a binary collation"
        : "it is without all of the sharding columns ("
            + String.join(", ", columns)
            + "); add them to the key";
  }
}
