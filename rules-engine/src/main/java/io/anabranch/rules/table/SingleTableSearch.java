package io.anabranch.rules.table;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the one data source of a table without a rule of its own. {@code !SINGLE} says where to
 * look: {@code ds.table} before {@code ds.*} before {@code *.*}, the default data source always.
 */
public final class SingleTableSearch {

  /** A table and where it is. */
  public record Found(String endpoint, TableSchema schema) {}

  private final LogicalDatabase database;
  private final SchemaCatalog catalog;

  public SingleTableSearch(PlanTask task) {
    this(task.database(), task.catalog());
  }

  /** Outside of planning. */
  public SingleTableSearch(LogicalDatabase database, SchemaCatalog catalog) {
    this.database = database;
    this.catalog = catalog;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException if several data sources have the table and
   *     the configuration does not choose
   */
  public Optional<Found> find(String table) {
    List<String> places = places(table);
    Found found = null;
    for (String endpoint : places) {
      Optional<TableSchema> schema = catalog.table(endpoint, table);
      if (schema.isPresent() && found != null) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "table '"
                + table
                + "', which data sources '"
                + found.endpoint()
                + "' and '"
                + endpoint
                + "' both have,",
            "name one of them under !SINGLE tables, as in " + found.endpoint() + "." + table);
      }
      if (schema.isPresent()) {
        found = new Found(endpoint, schema.get());
      }
    }
    return Optional.ofNullable(found);
  }

  /** The data source that the configuration names together with the table. */
  public Optional<String> configured(String table) {
    return listed(table).stream().findFirst();
  }

  /** Whether a table of that name would be found in the data source. */
  public boolean looksIn(String endpoint, String table) {
    return places(table).contains(endpoint);
  }

  private List<String> places(String table) {
    List<String> exact = listed(table);
    return exact.isEmpty() ? searched() : exact;
  }

  /** Data sources that the configuration names together with the table. */
  private List<String> listed(String table) {
    var places = new ArrayList<String>();
    for (String endpoint : database.endpoints()) {
      if (database.single().tables().stream().anyMatch(entry -> isEntry(entry, endpoint, table))) {
        places.add(endpoint);
      }
    }
    return places;
  }

  /** Where case is told, a name in another one is another table's. */
  private boolean isEntry(String entry, String endpoint, String table) {
    String name = endpoint + "." + table;
    return entry.equals(name) || (entry.equalsIgnoreCase(name) && !catalog.tellsCase(endpoint));
  }

  private List<String> searched() {
    List<String> entries = database.single().tables();
    boolean everywhere =
        entries.isEmpty() || entries.stream().anyMatch(entry -> entry.startsWith("*."));
    return everywhere
        ? database.endpoints()
        : database.endpoints().stream()
            .filter(
                endpoint ->
                    entries.contains(endpoint + ".*")
                        || endpoint.equals(database.single().defaultDataSource()))
            .toList();
  }
}
