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
 * @param audit null: every statement is taken
 */
public record ShardedTable(
    String name,
    List<DataNode> nodes,
    ShardingStrategy databaseStrategy,
    ShardingStrategy tableStrategy,
    @Nullable KeyGeneration keyGeneration,
    int bindingGroup,
    @Nullable Audit audit) {

  public ShardedTable {
    nodes = List.copyOf(nodes);
  }

  /** A table that is not audited. */
  public ShardedTable(
      String name,
      List<DataNode> nodes,
      ShardingStrategy databaseStrategy,
      ShardingStrategy tableStrategy,
      @Nullable KeyGeneration keyGeneration,
      int bindingGroup) {
    this(name, nodes, databaseStrategy, tableStrategy, keyGeneration, bindingGroup, null);
  }

  /**
   * Auditors that refuse statements without a condition on a sharding column.
   *
   * @param names as configured
   * @param allowHintDisable whether {@code DISABLE_AUDIT_NAMES} skips them
   */
  public record Audit(List<String> names, boolean allowHintDisable) {
    public Audit {
      names = List.copyOf(names);
    }
  }

  /**
   * @param column logical name
   */
  public record KeyGeneration(String column, io.anabranch.rules.algorithm.KeyGenerator generator) {}
}
