package io.anabranch.rules.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One logical database: one YAML file, checked and resolved. Immutable; compared by identity.
 *
 * <p>Table names are keys in lower case; look up with {@code toLowerCase(Locale.ROOT)}.
 *
 * @param dataSources by name, in the file's order
 * @param groups read/write groups by name; a group is used wherever a data source is
 * @param shardedTables by lower-case logical name
 * @param broadcastTables by lower-case name, to the name as configured
 * @param single where the tables live that are neither sharded nor broadcast
 */
public record LogicalDatabase(
    String name,
    Map<String, DataSourceDefinition> dataSources,
    Map<String, ReplicationGroup> groups,
    Map<String, ShardedTable> shardedTables,
    Map<String, String> broadcastTables,
    SingleTables single) {

  public LogicalDatabase {
    dataSources = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(dataSources));
    groups = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(groups));
    shardedTables = Map.copyOf(shardedTables);
    broadcastTables = Map.copyOf(broadcastTables);
  }

  /**
   * Whether the only data source (or group) takes every statement as it is: no sharding, broadcast
   * or single-table rules.
   */
  public boolean isPassThrough() {
    return shardedTables.isEmpty() && broadcastTables.isEmpty() && endpoints().size() == 1;
  }

  /**
   * Whether the one server behind this pass-through database has that of {@code other} too, under
   * the same name: a statement may name both.
   */
  public boolean isBeside(LogicalDatabase other) {
    return isOfOneServer()
        && other.isOfOneServer()
        && other.source().schema().equals(other.name)
        && other.source().server().equals(source().server());
  }

  private boolean isOfOneServer() {
    return isPassThrough() && dataSources.size() == 1;
  }

  private DataSourceDefinition source() {
    return dataSources.values().iterator().next();
  }

  /** Names that statements are routed to: groups, and data sources that are in no group. */
  public List<String> endpoints() {
    var members = new java.util.HashSet<String>();
    for (ReplicationGroup group : groups.values()) {
      members.add(group.primary());
      members.addAll(group.replicas());
    }
    var names = new java.util.ArrayList<String>(groups.keySet());
    for (String source : dataSources.keySet()) {
      if (!members.contains(source)) {
        names.add(source);
      }
    }
    return List.copyOf(names);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /**
   * @param tables {@code dataSource.table}, {@code dataSource.*} or {@code *.*} as configured;
   *     empty: none listed
   * @param defaultDataSource where CREATE TABLE of an unknown table goes; null: the first endpoint
   */
  public record SingleTables(List<String> tables, @Nullable String defaultDataSource) {
    public SingleTables {
      tables = List.copyOf(tables);
    }
  }
}
