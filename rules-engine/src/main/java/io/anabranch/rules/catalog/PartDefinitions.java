package io.anabranch.rules.catalog;

import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableDefinition.PartNames;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.sql.TableNames;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the databases how the parts of a table are defined, each time anew. */
public final class PartDefinitions {

  private static final int NO_SUCH_TABLE = 1146;

  /** MariaDB waits for who has the table locked, which must not keep the catalogue from others. */
  private static final String SHOW =
      "/*M! SET STATEMENT lock_wait_timeout = 3 FOR */ SHOW CREATE TABLE ";

  private final SchemaCatalog catalog;

  /** Lower-case actual names to logical ones. */
  private final Map<String, String> logical = new HashMap<>();

  public PartDefinitions(LogicalDatabase database, SchemaCatalog catalog) {
    this.catalog = catalog;
    for (ShardedTable table : database.shardedTables().values()) {
      table
          .nodes()
          .forEach(node -> logical.put(node.table().toLowerCase(Locale.ROOT), table.name()));
    }
  }

  /**
   * @return empty if there is no such table, or a view in its place
   * @throws io.anabranch.rules.error.RefusedException if the data source cannot be reached
   */
  public Optional<TableDefinition> of(DataNode node) {
    String told = told(node);
    return told == null || !told.startsWith("CREATE TABLE")
        ? Optional.empty()
        : Optional.of(TableDefinition.of(told, names(node)));
  }

  /**
   * The keys of a table; none of what is no table.
   *
   * @throws io.anabranch.rules.error.RefusedException if the data source cannot be reached
   */
  public List<TableKey> keys(DataNode node) {
    return of(node).map(TableDefinition::keys).orElse(List.of());
  }

  private PartNames names(DataNode node) {
    return PartNames.of(
        node.table(), name -> logical.getOrDefault(name.toLowerCase(Locale.ROOT), name));
  }

  private @Nullable String told(DataNode node) {
    try {
      List<List<@Nullable String>> rows =
          catalog.rows(node.dataSource(), SHOW + TableNames.quoted(node.table()));
      return rows.isEmpty() || rows.getFirst().size() < 2 ? null : rows.getFirst().get(1);
    } catch (SchemaCatalog.DescribeException refused) {
      if (refused.errno() == NO_SUCH_TABLE) {
        return null;
      }
      throw refused;
    }
  }
}
