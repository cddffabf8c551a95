package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What names in a statement mean to the rule: for one statement. Blocks on the catalogue. */
final class EncryptedNames {

  private static final int VIEW = 0;
  private static final int DEFINITION = 1;

  private final PlanTask task;
  private final LogicalDatabase database;
  private final Map<String, Optional<TableSchema>> schemas = new HashMap<>();

  EncryptedNames(PlanTask task) {
    this.task = task;
    this.database = task.database();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Null: it is no table with encrypted columns. */
  @Nullable EncryptedTable table(String name) {
    return database.encryption().table(name);
  }

  /** Tables with encrypted columns that some token may mean, by the names that clients use. */
  Set<String> mentioned(SqlTokens tokens) {
    var found = new HashSet<String>();
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token) && table(tokens.name(token)) != null) {
        found.add(lower(tokens.name(token)));
      }
    }
    return found;
  }

  /**
   * What the encrypted columns of tables are called, by clients and by servers; in lower case.
   *
   * @param tables as {@link #mentioned} finds them
   */
  Set<String> columns(Set<String> tables) {
    var columns = new HashSet<String>();
    for (String name : tables) {
      EncryptedTable table = table(name);
      for (EncryptedColumn column : table == null ? List.<EncryptedColumn>of() : table.columns()) {
        columns.add(lower(column.name()));
        column.stored().forEach(stored -> columns.add(lower(stored.name())));
      }
    }
    return columns;
  }

  /**
   * Names that lead past the rule: parts of sharded tables that have encrypted columns, and views
   * over such tables.
   *
   * @param isRowsAlone whether the statement writes rows into one table that is no view, and reads
   *     nothing: servers are not asked for views then
   */
  void refuseDetours(SqlTokens tokens, boolean isRowsAlone) {
    var names = new HashSet<String>();
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token)) {
        names.add(lower(tokens.name(token)));
      }
    }
    Map<String, String> parts = parts();
    for (Map.Entry<String, String> part : parts.entrySet()) {
      if (names.contains(part.getKey()) && table(part.getKey()) == null) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "naming '" + part.getKey() + "', a part of it,",
            part.getValue(),
            "name the table itself");
      }
    }
    for (String view : isRowsAlone ? Set.<String>of() : views(parts.keySet())) {
      if (names.contains(view)) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "the view '" + view + "'",
            String.join("' or '", database.encryption().tables().keySet()),
            "query the tables themselves");
      }
    }
  }

  /** Actual names to logical ones. */
  private Map<String, String> parts() {
    var parts = new HashMap<String, String>();
    for (EncryptedTable table : database.encryption().tables().values()) {
      ShardedTable sharded = database.shardedTables().get(lower(table.name()));
      if (sharded != null) {
        for (DataNode node : sharded.nodes()) {
          parts.put(lower(node.table()), table.name());
        }
      }
    }
    return parts;
  }

  /** Whether the database calls a part of the table, or all of it, so. */
  boolean isPart(EncryptedTable table, String actual) {
    return table.name().equalsIgnoreCase(actual) || table.name().equals(parts().get(lower(actual)));
  }

  /** Views that read tables with encrypted columns, or other such views. */
  private Set<String> views(Set<String> parts) {
    var found = new HashSet<>(parts);
    database.encryption().tables().values().forEach(table -> found.add(lower(table.name())));
    var views = new HashSet<String>();
    var definitions = new HashMap<String, SqlTokens>();
    for (String endpoint : database.endpoints()) {
      for (List<@Nullable String> row :
          task.catalog()
              .rows(
                  endpoint,
                  "SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE"
                      + " TABLE_SCHEMA = DATABASE()")) {
        String definition = row.get(DEFINITION);
        definitions.put(
            lower(String.valueOf(row.get(VIEW))),
            SqlTokens.of(definition == null ? "" : definition));
      }
    }
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Map.Entry<String, SqlTokens> each : definitions.entrySet()) {
        // one whose definition may not be seen is taken for one of them
        boolean reads =
            each.getValue().size() == 0 || found.stream().anyMatch(each.getValue()::mention);
        if (reads && views.add(each.getKey())) {
          found.add(each.getKey());
          grows = true;
        }
      }
    }
    return views;
  }

  /** The columns of a table as the database has it; empty: it has no such table. */
  Optional<TableSchema> schema(@Nullable String qualifier, String name) {
    return schemas.computeIfAbsent(lower(name), _ -> found(qualifier, name));
  }

  private Optional<TableSchema> found(@Nullable String qualifier, String name) {
    if (qualifier != null && !isOwn(qualifier)) {
      return Optional.empty();
    }
    if (database.isPassThrough()) {
      return task.catalog().table(database.endpoints().getFirst(), name);
    }
    return switch (new TableDirectory(task).find(null, name)) {
      case TablePlace.Sharded sharded -> task.catalog().table(sharded.table().nodes());
      case TablePlace.Broadcast one ->
          task.catalog().table(task.nearest(database.endpoints()), one.name());
      case TablePlace.Single one -> task.catalog().table(one.endpoint(), one.name());
      case TablePlace.Absent _ -> Optional.empty();
    };
  }

  /** Whether a name in front of a table's is that of this database, for clients or its server. */
  boolean isOwn(String qualifier) {
    return qualifier.equalsIgnoreCase(database.name())
        || (database.isPassThrough()
            && qualifier.equalsIgnoreCase(
                task.catalog().defaultSchema(database.endpoints().getFirst())));
  }
}
