package io.anabranch.rules.planner;

import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.KeyType;
import io.anabranch.rules.sql.TableRef;
import java.util.Map;

/** A table that a statement names and where it lives. */
sealed interface PlacedTable {

  TableRef ref();

  /** Lower-case column names to what routing may conclude from them. */
  Map<String, KeyType> columns();

  record Sharded(TableRef ref, ShardedTable table, Map<String, KeyType> columns)
      implements PlacedTable {}

  /** The same rows everywhere. */
  record Broadcast(TableRef ref, Map<String, KeyType> columns) implements PlacedTable {}

  record Single(TableRef ref, String dataSource, Map<String, KeyType> columns)
      implements PlacedTable {}

  /** A table of a system schema: any server has it. */
  record Catalogue(TableRef ref) implements PlacedTable {
    @Override
    public Map<String, KeyType> columns() {
      return Map.of();
    }
  }
}
