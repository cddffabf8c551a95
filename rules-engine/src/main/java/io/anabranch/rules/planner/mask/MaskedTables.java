package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.catalog.PartDefinitions;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.planner.mask.QueryBlock.Output;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
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

  /** Masked tables of the current database by all their names. */
  private final Map<String, String> own;

  /** Views over them that are understood, in lower case, with their masked columns. */
  private final Map<String, Map<String, Masker>> views = new HashMap<>();

  private boolean dependsOnViews;

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
    this.own = masks.columns().isEmpty() ? Map.of() : byName(task.database());
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
    return mentioned(tokens);
  }

  private Set<String> mentioned(SqlTokens text) {
    var mentioned = new TreeSet<String>();
    own.forEach(
        (name, table) -> {
          if (text.mention(name)) {
            mentioned.add(table);
          }
        });
    return mentioned;
  }

  /** The masked columns of all tables and views that a text names. */
  MaskedNames names(SqlTokens text) {
    var all = new MaskedNames();
    for (String table : mentioned(text)) {
      all.add(masks.of(table));
      all.add(stored(table));
    }
    views.forEach(
        (view, columns) -> {
          if (text.mention(view)) {
            all.add(columns);
          }
        });
    all.requireCertain(text);
    return all;
  }

  /** What servers call the masked columns of a table that are encrypted, as in views' queries. */
  private Map<String, Masker> stored(String table) {
    EncryptedTable encrypted = task.database().encryption().table(table);
    var stored = new HashMap<String, Masker>();
    masks
        .of(table)
        .forEach(
            (name, masker) -> {
              EncryptedColumn column = encrypted == null ? null : encrypted.column(name);
              for (Stored each : column == null ? List.<Stored>of() : column.stored()) {
                stored.put(each.name().toLowerCase(Locale.ROOT), masker);
              }
            });
    return stored;
  }

  /**
   * Names of columns with those that servers have in the place of encrypted ones among them, in
   * lower case.
   */
  Set<String> withStored(String table, Set<String> columns) {
    EncryptedTable encrypted = task.database().encryption().table(table);
    var all = new HashSet<>(columns);
    for (String name : columns) {
      EncryptedColumn column = encrypted == null ? null : encrypted.column(name);
      for (Stored each : column == null ? List.<Stored>of() : column.stored()) {
        all.add(each.name().toLowerCase(Locale.ROOT));
      }
    }
    return all;
  }

  /** Whether that is the name of a table with masked columns, or of a view over one. */
  boolean isMasked(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return own.containsKey(lower) || views.containsKey(lower);
  }

  /**
   * Whether a column is masked, and a table's for sure.
   *
   * @param table or view; empty: not known
   */
  boolean masks(String table, String column) {
    String lower = table.toLowerCase(Locale.ROOT);
    boolean isHidden = task.scope().temporaries().find(table) != null;
    String logical = own.get(lower);
    Map<String, Masker> columns =
        logical == null ? views.getOrDefault(lower, Map.of()) : masks.of(logical);
    return !isHidden && columns.containsKey(column.toLowerCase(Locale.ROOT));
  }

  /** The type of such a column without what is in parentheses; empty: it is not known. */
  String type(String table, String column) {
    String lower = table.toLowerCase(Locale.ROOT);
    ShardedTable sharded = task.database().shardedTables().get(own.getOrDefault(lower, lower));
    Stream<TableSchema> schemas =
        sharded != null
            ? task.catalog().table(sharded.nodes()).stream()
            : task.database().endpoints().stream()
                .flatMap(endpoint -> task.catalog().table(endpoint, table).stream());
    return schemas
        .flatMap(schema -> schema.columns().stream())
        .filter(each -> each.name().equalsIgnoreCase(column))
        .map(each -> each.type().split("[( ]", 2)[0])
        .findFirst()
        .orElse("");
  }

  /** Whether a name in front of a table's is that of the current database. */
  boolean isOwnSchema(String qualifier) {
    return schemas(task.database()).contains(qualifier.toLowerCase(Locale.ROOT));
  }

  /**
   * How servers define the tables of that name.
   *
   * @param table one of {@link #mentioned}
   */
  List<TableDefinition> definitions(String table) {
    PartDefinitions parts = task.definitions();
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
      boolean isNamed =
          tokens
              .all()
              .has(
                  token ->
                      tokens.isPunctuation(token + 1, '.')
                          && schemas.contains(tokens.lowerName(token))
                          && tables.contains(lower(token + 2)));
      if (isNamed) {
        throw ErrorCatalogue.MASKED.refuse(
            "a table of the database '" + other.name() + "' that is not the current one");
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

  /**
   * Looks into the views that the statement names.
   *
   * @param isQuery whether it reads them, and does nothing else
   * @throws io.anabranch.rules.error.RefusedException if a view shows what cannot be masked
   */
  void readViews(boolean isQuery) {
    String view = shownMasked(tokens, task.database(), new HashSet<>());
    if (view == null && !isQuery) {
      view = views.keySet().stream().filter(tokens::mention).findFirst().orElse(null);
    }
    if (view != null) {
      throw MaskedQuery.refusal("the view '" + view + "'");
    }
  }

  /** Whether the statement names a view over masked columns. */
  boolean nameViews() {
    return views.keySet().stream().anyMatch(tokens::mention);
  }

  /**
   * The first view that is named, of the database or of one beside it, and shows a masked column.
   *
   * @param seen names of views that were looked at, behind those of their databases
   */
  private @Nullable String shownMasked(SqlTokens text, LogicalDatabase current, Set<String> seen) {
    Predicate<String> named = text::mention;
    for (LogicalDatabase database : reached(named, current)) {
      SchemaCatalog catalog =
          database.equals(task.database()) ? task.catalog() : task.catalogs().apply(database);
      for (String endpoint : database.endpoints()) {
        for (String view : catalog.tableNames(endpoint)) {
          boolean isNew =
              named.test(view) && seen.add(key(database) + '.' + view.toLowerCase(Locale.ROOT));
          if (isNew && shows(asItIs(catalog, endpoint, view), database, seen)) {
            return view;
          }
        }
      }
    }
    return null;
  }

  /** A view may have been made anew through another proxy: its query is asked for each time. */
  private Optional<TableSchema> asItIs(SchemaCatalog catalog, String endpoint, String name) {
    Optional<TableSchema> known = catalog.table(endpoint, name);
    if (known.isEmpty() || known.get().view() == null) {
      return known;
    }
    dependsOnViews = true;
    return catalog.current(endpoint, name);
  }

  /** Whether a view was looked into, of those that the statement names or others read. */
  boolean dependOnViews() {
    return dependsOnViews;
  }

  /** The current one, and those that are named and are on a server with masks. */
  private List<LogicalDatabase> reached(Predicate<String> named, LogicalDatabase current) {
    var reached = new ArrayList<>(List.of(current));
    for (LogicalDatabase other : task.rules().databases().values()) {
      boolean isNamed = schemas(other).stream().anyMatch(named);
      if (isNamed
          && !key(other).equals(key(current))
          && databases.stream().anyMatch(each -> shareServer(each, other))) {
        reached.add(other);
      }
    }
    return reached;
  }

  /** Whether a view shows what is masked in a way that is not understood. */
  private boolean shows(Optional<TableSchema> schema, LogicalDatabase database, Set<String> seen) {
    String query = schema.map(TableSchema::view).orElse(null);
    if (query == null) {
      return false;
    }
    SqlTokens body = SqlTokens.of(query);
    boolean isHidden =
        query.isEmpty()
            || body.all().calls().stream()
                .anyMatch(call -> MaskedQuery.isStoredFunction(body, call))
            || shownMasked(body, database, seen) != null;
    boolean reads =
        names.stream().anyMatch(body::mention) || views.keySet().stream().anyMatch(body::mention);
    return isHidden
        || (reads
            && !(key(database).equals(key(task.database()))
                && schema.filter(view -> understands(view, body)).isPresent()));
  }

  /** Finds out which columns of a view of the current database are masked. */
  private boolean understands(TableSchema view, SqlTokens body) {
    if (namesOthers(body)) {
      return false;
    }
    List<Output> outputs;
    MaskedNames masked;
    try {
      masked = names(body);
      var query = new MaskedQuery(body, masked, new MaskedComparison(body), this);
      query.check();
      outputs = query.outputs();
    } catch (RefusedException _) {
      return false;
    }
    if (outputs.size() != view.columns().size() || outputs.stream().anyMatch(Output::isStar)) {
      return false;
    }
    var columns = new HashMap<String, Masker>();
    for (int i = 0; i < outputs.size(); i++) {
      Output output = outputs.get(i);
      Masker masker = masked.of(output.column());
      masker = masker == null ? masked.of(output.name()) : masker;
      if (masker != null) {
        columns.put(view.columns().get(i).name().toLowerCase(Locale.ROOT), masker);
      }
    }
    views.put(view.name().toLowerCase(Locale.ROOT), columns);
    return true;
  }

  /** Whether a view reads another database, whose tables may have the same names. */
  private boolean namesOthers(SqlTokens body) {
    var others = new HashSet<String>();
    task.rules().databases().values().forEach(each -> others.addAll(schemas(each)));
    others.removeAll(schemas(task.database()));
    return body.all()
        .has(token -> body.isPunctuation(token + 1, '.') && others.contains(body.lowerName(token)));
  }
}
