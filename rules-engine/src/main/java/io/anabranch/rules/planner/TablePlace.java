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

  record Single(String endpoint, String name) implements TablePlace {}

  /** No endpoint has it yet: where it would be made. */
  record Absent(String endpoint, String name) implements TablePlace {}
}
