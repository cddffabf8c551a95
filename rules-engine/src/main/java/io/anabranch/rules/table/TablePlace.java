package io.anabranch.rules.table;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.task.PlanTask;
import java.util.List;

/** Where a named table lives. */
public sealed interface TablePlace {

  /** Of the table, as it is configured or, where it is not, as the statement says it. */
  String name();

  record Sharded(ShardedTable table) implements TablePlace {

    @Override
    public String name() {
      return table.name();
    }
  }

  /**
   * The same rows in every endpoint.
   *
   * @param name as configured
   */
  record Broadcast(String name) implements TablePlace {}

  /**
   * @param isShardedView whether it is the view that keeps the definition of one over sharded
   *     tables: its own rows are those of some nodes only
   */
  record Single(String endpoint, String name, boolean isShardedView) implements TablePlace {

    /** A table, or a view over tables beside it. */
    public Single(String endpoint, String name) {
      this(endpoint, name, false);
    }
  }

  /** No endpoint has it yet: where it would be made. */
  record Absent(String endpoint, String name) implements TablePlace {}

  /** Where its rows are, or would be. */
  default List<DataNode> nodes(PlanTask task) {
    return switch (this) {
      case Sharded sharded -> sharded.table().nodes();
      case Broadcast broadcast -> task.database().everywhere(broadcast.name());
      case Single one -> List.of(new DataNode(one.endpoint(), one.name()));
      case Absent one -> List.of(new DataNode(one.endpoint(), one.name()));
    };
  }

  /** One for each place of a table, whose name is the template's only one. */
  default List<AimedText> aim(PlanTask task, SqlTemplate template) {
    return nodes(task).stream()
        .map(node -> template.aimedAt(node.dataSource(), List.of(node.table())))
        .toList();
  }
}
