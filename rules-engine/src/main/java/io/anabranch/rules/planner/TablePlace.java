package io.anabranch.rules.planner;

import io.anabranch.rules.model.ShardedTable;

/** Where a named table lives. */
sealed interface TablePlace {

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
    Single(String endpoint, String name) {
      this(endpoint, name, false);
    }
  }

  /** No endpoint has it yet: where it would be made. */
  record Absent(String endpoint, String name) implements TablePlace {}
}
