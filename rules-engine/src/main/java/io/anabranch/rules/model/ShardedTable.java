package io.anabranch.rules.model;

import io.anabranch.rules.algorithm.audit.Auditor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * @param strategyNames what strategies call data sources that have another name in {@code nodes}
 */
public record ShardedTable(
    String name,
    List<DataNode> nodes,
    ShardingStrategy databaseStrategy,
    ShardingStrategy tableStrategy,
    @Nullable KeyGeneration keyGeneration,
    int bindingGroup,
    @Nullable Audit audit,
    Map<String, String> strategyNames) {

  public ShardedTable {
    nodes = List.copyOf(nodes);
    strategyNames = Map.copyOf(strategyNames);
  }

  /** A table whose strategies call data sources as its nodes do. */
  public ShardedTable(
      String name,
      List<DataNode> nodes,
      ShardingStrategy databaseStrategy,
      ShardingStrategy tableStrategy,
      @Nullable KeyGeneration keyGeneration,
      int bindingGroup,
      @Nullable Audit audit) {
    this(
        name, nodes, databaseStrategy, tableStrategy, keyGeneration, bindingGroup, audit, Map.of());
  }

  /** Sharding columns of both levels in lower case; columns that routing can use. */
  public Set<String> shardingColumns() {
    var names = new LinkedHashSet<String>();
    for (ShardingStrategy level : List.of(databaseStrategy, tableStrategy)) {
      switch (level) {
        case ShardingStrategy.Standard standard ->
            names.add(standard.column().toLowerCase(Locale.ROOT));
        case ShardingStrategy.Complex complex ->
            complex.columns().forEach(column -> names.add(column.toLowerCase(Locale.ROOT)));
        case ShardingStrategy.Hint ignored -> {}
        case ShardingStrategy.None ignored -> {}
      }
    }
    return names;
  }

  /** Whether they are different tables whose rows of equal keys lie beside each other. */
  public boolean isBoundTo(ShardedTable other) {
    return bindingGroup >= 0 && bindingGroup == other.bindingGroup && !name.equals(other.name);
  }

  /** The data sources that have nodes, as strategies call them, in the nodes' order. */
  public List<String> strategySources() {
    return nodes.stream()
        .map(DataNode::dataSource)
        .distinct()
        .map(source -> strategyNames.getOrDefault(source, source))
        .toList();
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
   * Auditors that may refuse statements.
   *
   * @param auditors by their names as configured, in the order in which they are asked
   * @param allowHintDisable whether {@code DISABLE_AUDIT_NAMES} skips them
   */
  public record Audit(Map<String, Auditor> auditors, boolean allowHintDisable) {
    public Audit {
      auditors = Collections.unmodifiableMap(new LinkedHashMap<>(auditors));
    }
  }

  /**
   * @param column logical name
   */
  public record KeyGeneration(String column, io.anabranch.rules.algorithm.KeyGenerator generator) {}
}
