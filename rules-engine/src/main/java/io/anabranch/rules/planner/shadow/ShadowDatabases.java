package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The views of a database whose tables have shadows, under its name.
 *
 * @param production as it is configured
 * @param shadow whose tables are on the shadows, and which has nothing of production's
 */
public record ShadowDatabases(LogicalDatabase production, LogicalDatabase shadow) {

  /** Of a database with a rule. */
  public static ShadowDatabases of(LogicalDatabase database) {
    return new ShadowDatabases(database, shadow(database));
  }

  private static LogicalDatabase shadow(LogicalDatabase database) {
    ShadowRule rule = database.shadow();
    var tables = new HashMap<String, ShardedTable>();
    database
        .shardedTables()
        .forEach(
            (name, table) -> {
              if (table.nodes().stream().allMatch(node -> rule.has(node.dataSource()))) {
                tables.put(
                    name,
                    placed(
                        table,
                        table.nodes().stream().map(node -> shadow(rule, node)).toList(),
                        rule.productions()));
              }
            });
    String standard = database.single().defaultDataSource();
    var single =
        new SingleTables(
            database.single().tables().stream()
                .filter(name -> isAnywhere(name) || rule.has(source(name)))
                .map(name -> shadow(rule, name))
                .toList(),
            standard == null || !rule.has(standard) ? null : rule.shadow(standard));
    return view(
        database,
        tables,
        database.broadcastTables(),
        single,
        ShadowRule.hiding(Set.copyOf(database.endpoints())));
  }

  private static DataNode shadow(ShadowRule rule, DataNode node) {
    return new DataNode(rule.shadow(node.dataSource()), node.table());
  }

  /** {@code *.*} */
  private static boolean isAnywhere(String single) {
    return single.startsWith("*.");
  }

  /** Of {@code dataSource.table}. */
  private static String source(String single) {
    int dot = single.indexOf('.');
    return dot < 0 ? single : single.substring(0, dot);
  }

  private static String shadow(ShadowRule rule, String single) {
    String source = source(single);
    return rule.shadow(source) + single.substring(source.length());
  }

  /**
   * Where these tables are on production and on its shadows, and all others on production alone:
   * for definitions.
   *
   * @param others by lower-case name, those that are not sharded, with their nodes on production
   */
  LogicalDatabase both(Map<String, ShardedTable> others) {
    ShadowRule rule = production.shadow();
    var tables = new HashMap<>(production.shardedTables());
    tables.replaceAll((key, table) -> rule.tables().containsKey(key) ? onBoth(rule, table) : table);
    others.forEach((key, table) -> tables.put(key, onBoth(rule, table)));
    var broadcast = new HashMap<>(production.broadcastTables());
    broadcast.keySet().removeAll(others.keySet());
    return view(
        production, tables, broadcast, production.single(), ShadowRule.hiding(rule.hidden()));
  }

  private static ShardedTable onBoth(ShadowRule rule, ShardedTable table) {
    List<DataNode> nodes =
        Stream.concat(
                table.nodes().stream(), table.nodes().stream().map(node -> shadow(rule, node)))
            .distinct()
            .toList();
    return placed(table, nodes, rule.productions());
  }

  private static ShardedTable placed(
      ShardedTable table, List<DataNode> nodes, Map<String, String> strategyNames) {
    return new ShardedTable(
        table.name(),
        nodes,
        table.databaseStrategy(),
        table.tableStrategy(),
        table.keyGeneration(),
        table.bindingGroup(),
        table.audit(),
        strategyNames);
  }

  private static LogicalDatabase view(
      LogicalDatabase database,
      Map<String, ShardedTable> tables,
      Map<String, String> broadcast,
      SingleTables single,
      ShadowRule hiding) {
    return new LogicalDatabase(
        database.name(),
        database.dataSources(),
        database.groups(),
        tables,
        broadcast,
        single,
        database.keyPolicy(),
        database.creation(),
        database.encryption(),
        database.masks(),
        hiding);
  }
}
