package io.anabranch.rules.planner.mask;

import io.anabranch.rules.catalog.PartDefinitions;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tables with masked columns that a statement of a user's might reach: by their names, by those
 * of their parts, by another database, through a view. Used once, by one thread; blocks on the
 * catalogues.
 */
final class MaskedTables {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final Masks masks;

  /** Databases with masks for the user. */
  private final List<LogicalDatabase> databases;

  /** Names of all their tables, in lower case. */
  private final Set<String> names = new HashSet<>();

  MaskedTables(PlanTask task, SqlTokens tokens) {
    this.task = task;
    this.tokens = tokens;
    Set<String> masked = task.scope().permitted().masked();
    this.masks = masked.contains(key(task.database())) ? task.database().masks() : Masks.NONE;
    this.databases =
        task.rules().databases().values().stream()
            .filter(each -> masked.contains(key(each)))
            .toList();
    databases.forEach(each -> names.addAll(byName(each).keySet()));
  }

  /** Of the current database. */
  Masks masks() {
    return masks;
  }

  /** Whether a database with masks is on a server of the current one's. */
  boolean areBeside() {
    return databases.stream().anyMatch(each -> shareServer(each, task.database()));
  }

  private static boolean shareServer(LogicalDatabase one, LogicalDatabase other) {
    var servers = new HashSet<String>();
    one.dataSources().values().forEach(source -> servers.add(source.server()));
    return other.dataSources().values().stream()
        .anyMatch(source -> servers.contains(source.server()));
  }

  private static String key(LogicalDatabase database) {
    return database.name().toLowerCase(Locale.ROOT);
  }

  /** Logical names by each name that they have, those of parts included; in lower case. */
  private static Map<String, String> byName(LogicalDatabase database) {
    var tables = new HashMap<String, String>();
    database.masks().columns().keySet().forEach(table -> tables.put(table, table));
    for (ShardedTable table : database.shardedTables().values()) {
      String name = table.name().toLowerCase(Locale.ROOT);
      if (database.masks().has(name)) {
        table.nodes().forEach(node -> tables.put(node.table().toLowerCase(Locale.ROOT), name));
      }
    }
    return tables;
  }

  private String lower(int token) {
    return tokens.name(token).toLowerCase(Locale.ROOT);
  }

  /** Those of the current database that the statement names, by their logical names. */
  Set<String> mentioned() {
    Map<String, String> tables = masks.columns().isEmpty() ? Map.of() : byName(task.database());
    var mentioned = new TreeSet<String>();
    for (int token = 0; token < tokens.size(); token++) {
      String table = tokens.isName(token) ? tables.get(lower(token)) : null;
      if (table != null) {
        mentioned.add(table);
      }
    }
    return mentioned;
  }

  /**
   * How servers define the tables of that name.
   *
   * @param table one of {@link #mentioned}
   */
  List<TableDefinition> definitions(String table) {
    var parts = new PartDefinitions(task.database(), task.catalog());
    ShardedTable sharded = task.database().shardedTables().get(table);
    List<DataNode> nodes =
        sharded != null
            ? List.of(task.nearestNode(sharded.nodes()))
            : task.database().endpoints().stream()
                .filter(each -> has(task.catalog(), each, table))
                .map(each -> new DataNode(each, table))
                .toList();
    return nodes.stream().map(parts::of).flatMap(Optional::stream).toList();
  }

  private static boolean has(SchemaCatalog catalog, String endpoint, String table) {
    return catalog.tableNames(endpoint).stream().anyMatch(table::equalsIgnoreCase);
  }

  /** A table may be named by its database where another one is the current one. */
  void refuseOtherDatabases() {
    for (LogicalDatabase other : databases) {
      if (key(other).equals(key(task.database()))) {
        continue;
      }
      Set<String> schemas = schemas(other);
      Set<String> tables = byName(other).keySet();
      for (int token = 0; token + 2 < tokens.size(); token++) {
        if (tokens.isName(token)
            && tokens.isPunctuation(token + 1, '.')
            && schemas.contains(lower(token))
            && tables.contains(lower(token + 2))) {
          throw ErrorCatalogue.MASKED.refuse(
              "a table of the database '" + other.name() + "' that is not the current one");
        }
      }
    }
  }

  /** What the database is called, by clients and by servers; in lower case. */
  private static Set<String> schemas(LogicalDatabase database) {
    var schemas = new HashSet<>(Set.of(key(database)));
    database
        .dataSources()
        .values()
        .forEach(source -> schemas.add(source.schema().toLowerCase(Locale.ROOT)));
    return schemas;
  }

  /** What a view shows of a masked table is not told apart. */
  void refuseViews() {
    String view = shownMasked(tokens, task.database(), new HashSet<>());
    if (view != null) {
      throw MaskedQuery.refusal("the view '" + view + "'");
    }
  }

  /**
   * The first view that is named, of the database or of one beside it, and shows a masked column.
   *
   * @param seen names of views that were looked at, behind those of their databases
   */
  private @Nullable String shownMasked(SqlTokens text, LogicalDatabase current, Set<String> seen) {
    var named = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
    for (int token = 0; token < text.size(); token++) {
      if (text.isName(token)) {
        named.add(text.name(token));
      }
    }
    for (LogicalDatabase database : reached(named, current)) {
      SchemaCatalog catalog =
          database.equals(task.database()) ? task.catalog() : task.catalogs().apply(database);
      for (String endpoint : database.endpoints()) {
        for (String view : catalog.tableNames(endpoint)) {
          boolean isNew =
              named.contains(view) && seen.add(key(database) + '.' + view.toLowerCase(Locale.ROOT));
          if (isNew && shows(catalog.table(endpoint, view), database, seen)) {
            return view;
          }
        }
      }
    }
    return null;
  }

  /** The current one, and those that are named and are on a server with masks. */
  private List<LogicalDatabase> reached(Set<String> named, LogicalDatabase current) {
    var reached = new ArrayList<>(List.of(current));
    for (LogicalDatabase other : task.rules().databases().values()) {
      boolean isNamed = schemas(other).stream().anyMatch(named::contains);
      if (isNamed
          && !key(other).equals(key(current))
          && databases.stream().anyMatch(each -> shareServer(each, other))) {
        reached.add(other);
      }
    }
    return reached;
  }

  private boolean shows(Optional<TableSchema> schema, LogicalDatabase database, Set<String> seen) {
    String query = schema.map(TableSchema::view).orElse(null);
    if (query == null) {
      return false;
    }
    SqlTokens own = SqlTokens.of(query);
    boolean shows = query.isEmpty();
    for (int token = 0; token < own.size() && !shows; token++) {
      boolean calls = own.isName(token) && own.isPunctuation(token + 1, '(');
      shows =
          own.isName(token)
              && (names.contains(own.name(token).toLowerCase(Locale.ROOT))
                  || (calls && MaskedQuery.isStoredFunction(own, token)));
    }
    return shows || shownMasked(own, database, seen) != null;
  }
}
