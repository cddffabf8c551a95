package io.anabranch.rules.catalog;

import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Unique keys of the tables that are there which no node can keep unique by itself. */
public final class LooseKeys {

  private LooseKeys() {}

  /**
   * What is to be said of them, by table. Blocks: it asks one node of each sharded table.
   *
   * @throws io.anabranch.rules.error.RefusedException if a data source cannot be reached
   */
  public static List<String> warnings(LogicalDatabase database, SchemaCatalog catalog) {
    var definitions = new PartDefinitions(database, catalog);
    var warnings = new ArrayList<String>();
    if (database.keyPolicy().checks()) {
      return warnings;
    }
    Map<String, ShardedTable> byName = new TreeMap<>(database.shardedTables());
    for (ShardedTable table : byName.values()) {
      if (table.nodes().size() > 1) {
        definitions
            .of(table.nodes().getFirst())
            .ifPresent(
                definition -> {
                  var keys = ShardKeys.of(table, definition);
                  keys.loose(definition.keys()).forEach(key -> warnings.add(keys.warning(key)));
                });
      }
    }
    return warnings;
  }
}
