package io.anabranch.rules.table;

import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.task.PlanTask;
import java.util.List;

/** Where a named table lives. */
public sealed interface TablePlace {

  record Sharded(ShardedTable table) implements TablePlace {}

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

  /** One for each place of a table, whose name is the template's only one. */
  default List<AimedText> aim(PlanTask task, SqlTemplate template) {
    return switch (this) {
      case Sharded sharded ->
          sharded.table().nodes().stream()
              .map(node -> template.aimedAt(node.dataSource(), List.of(node.table())))
              .toList();
      case Broadcast broadcast ->
          task.database().endpoints().stream()
              .map(endpoint -> template.aimedAt(endpoint, List.of(broadcast.name())))
              .toList();
      case Single one -> List.of(template.aimedAt(one.endpoint(), List.of(one.name())));
      case Absent one -> List.of(template.aimedAt(one.endpoint(), List.of(one.name())));
    };
  }
}
