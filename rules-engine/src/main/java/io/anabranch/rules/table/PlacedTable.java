package io.anabranch.rules.table;

import io.anabranch.rules.catalog.SplitView;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table that a statement names and where it lives. */
public sealed interface PlacedTable {

  TableRef ref();

  /** Lower-case column names to what routing may conclude from them. */
  Map<String, KeyType> columns();

  /** Each of which tells how it is defined, with its rows or without; none does of a system's. */
  default List<DataNode> nodes(PlanTask task) {
    return switch (this) {
      case Sharded sharded -> sharded.table().nodes();
      case Broadcast broadcast -> {
        String name = broadcast.ref().name();
        Map<String, String> all = task.database().broadcastTables();
        yield task.database().everywhere(all.getOrDefault(name.toLowerCase(Locale.ROOT), name));
      }
      case Single one -> List.of(new DataNode(one.dataSource(), one.ref().name()));
      case View view -> List.of(new DataNode(view.endpoint(), view.ref().name()));
      case Catalogue ignored -> List.of();
    };
  }

  /**
   * @param view what stands for it in each node; null: it is a table
   */
  record Sharded(
      TableRef ref, ShardedTable table, Map<String, KeyType> columns, @Nullable SplitView view)
      implements PlacedTable {}

  /**
   * A view over sharded tables whose rows are not simply those of all nodes: its query has to be
   * put in its place.
   *
   * @param endpoint that keeps its definition
   * @param query in logical names
   */
  record View(TableRef ref, String endpoint, String query, Map<String, KeyType> columns)
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
