package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.OwnTables;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.SequenceTables;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.SingleTableSearch;
import io.anabranch.rules.task.PlanTask;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Finds the tables that a statement names. */
public final class TablePlacer {

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SchemaCatalog catalog;
  private final SingleTableSearch singles;
  private final Set<String> otherDatabases;
  private final TemporaryTables temporaries;
  private final LogicalViews views;
  private final ViewSplitter splits;

  TablePlacer(PlanTask task) {
    this.task = task;
    database = task.database();
    catalog = task.catalog();
    singles = new SingleTableSearch(task);
    otherDatabases = task.rules().databases().keySet();
    temporaries = task.scope().temporaries();
    views = new LogicalViews(task);
    splits = new ViewSplitter(task);
  }

  /** Names that the statement's tree must lead back to: tables with rules and the database. */
  public static Set<String> knownNames(LogicalDatabase database) {
    var names = new HashSet<String>();
    names.addAll(database.shardedTables().keySet());
    names.addAll(database.broadcastTables().keySet());
    names.add(database.name().toLowerCase(Locale.ROOT));
    names.add(CatalogueTable.SCHEMA);
    return names;
  }

  PlacedTable place(TableRef ref) {
    String qualifier = ref.qualifier();
    if (qualifier != null && !qualifier.equalsIgnoreCase(database.name())) {
      return elsewhere(ref, qualifier.toLowerCase(Locale.ROOT));
    }
    TemporaryTables.Table temporary = temporaries.find(ref.name());
    if (temporary != null) {
      return new PlacedTable.Single(ref, temporary.endpoint(), columns(temporary.schema()));
    }
    requireLocked(ref);
    String name = ref.name().toLowerCase(Locale.ROOT);
    ShardedTable sharded = database.shardedTables().get(name);
    if (sharded != null) {
      TableSchema schema = catalog.table(sharded.nodes()).orElseThrow(() -> unknown(ref));
      views.requireReadable(schema);
      return new PlacedTable.Sharded(ref, sharded, columns(schema), null);
    }
    String broadcast = database.broadcastTables().get(name);
    if (broadcast != null) {
      return new PlacedTable.Broadcast(
          ref, columns(required(task.nearest(database.endpoints()), broadcast, ref)));
    }
    return single(ref);
  }

  /** Databases without any of the locks would not refuse the table. */
  private void requireLocked(TableRef ref) {
    if (!task.scope().locks().admit(database.name(), ref.alias(), ref.name())) {
      throw ErrorCatalogue.TABLE_NOT_LOCKED.refuse(ref.alias());
    }
  }

  private PlacedTable elsewhere(TableRef ref, String qualifier) {
    if (LogicalDatabase.isSystemSchema(qualifier)) {
      return new PlacedTable.Catalogue(ref);
    }
    if (otherDatabases.contains(qualifier)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table of another logical database (" + qualifier + "." + ref.name() + ")",
          "USE that database first");
    }
    throw ErrorCatalogue.NO_TABLE_OF_NO_DATABASE.refuse(qualifier, ref.name());
  }

  private PlacedTable single(TableRef ref) {
    if (isActualName(ref.name()) || OwnTables.has(task.rules(), ref.name())) {
      throw unknown(ref);
    }
    SingleTableSearch.Found found = singles.find(ref.name()).orElse(null);
    if (found == null) {
      TableSchema sequence = SequenceTables.find(ref.name()).orElseThrow(() -> unknown(ref));
      return new PlacedTable.Broadcast(ref, columns(sequence));
    }
    String query = views.query(found.endpoint(), found.schema());
    return query == null
        ? new PlacedTable.Single(ref, found.endpoint(), columns(found.schema()))
        : splits.place(ref, found, query);
  }

  /** Parts of sharded tables are not for clients: they see the logical table. */
  private boolean isActualName(String name) {
    return isPart(name, database.shardedTables().values())
        || isPart(name, database.setAside().values());
  }

  private static boolean isPart(String name, Collection<ShardedTable> tables) {
    for (ShardedTable table : tables) {
      for (DataNode node : table.nodes()) {
        if (node.table().equalsIgnoreCase(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private TableSchema required(String dataSource, String table, TableRef ref) {
    TableSchema schema = catalog.table(dataSource, table).orElseThrow(() -> unknown(ref));
    views.requireReadable(schema);
    return schema;
  }

  private RuntimeException unknown(TableRef ref) {
    return ErrorCatalogue.NO_SUCH_TABLE.refuse(database.name(), ref.name());
  }

  static Map<String, KeyType> columns(TableSchema schema) {
    Map<String, KeyType> types = new HashMap<>();
    for (var column : schema.columns()) {
      types.put(
          column.name().toLowerCase(Locale.ROOT), KeyType.of(column.type(), column.collation()));
    }
    return types;
  }
}
