package io.anabranch.rules.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sharded logical table, checked: every node's data source exists, every algorithm is made.
 *
 * @param name logical name as configured; matched without regard to case
 * @param nodes all parts, in the order of the expression; never empty, no duplicates
 * @param databaseStrategy picks data sources
 * @param tableStrategy picks tables within a data source
 * @param keyGeneration fills a column on INSERT
 * @param bindingGroup tables with equal numbers share their placement; -1 for none
 */
public record ShardedTable(
    String name,
    List<DataNode> nodes,
    ShardingStrategy databaseStrategy,
    ShardingStrategy tableStrategy,
    @Nullable KeyGeneration keyGeneration,
    int bindingGroup) {

  public ShardedTable {
    nodes = List.copyOf(nodes);
  }

  /**
   * @param column logical name
   */
  public record KeyGeneration(String column, io.anabranch.rules.algorithm.KeyGenerator generator) {}
}
