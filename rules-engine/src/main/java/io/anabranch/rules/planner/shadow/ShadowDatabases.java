package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The views of a database whose tables have shadows, under its name.
 *
 * @param production as it is configured
 * @param shadow whose tables are on the shadows
 * @param both whose tables with shadows are on both: for definitions
 */
public record ShadowDatabases(
    LogicalDatabase production, LogicalDatabase shadow, LogicalDatabase both) {

  /** Of a database with a rule. */
  public static ShadowDatabases of(LogicalDatabase database) {
    return new ShadowDatabases(database, shadow(database), both(database));
  }

  private static LogicalDatabase shadow(LogicalDatabase database) {
    ShadowRule rule = database.shadow();
    var tables = new HashMap<String, ShardedTable>();
    database
        .shardedTables()
        .forEach(
            (name, table) ->
                tables.put(
                    name,
                    placed(
                        table,
                        table.nodes().stream().map(node -> shadow(rule, node)).toList(),
                        rule.productions())));
    String standard = database.single().defaultDataSource();
    var single =
        new SingleTables(
            database.single().tables().stream().map(name -> shadow(rule, name)).toList(),
            standard == null ? null : rule.shadow(standard));
    return view(database, tables, single, ShadowRule.hiding(rule.sources().keySet()));
  }

  private static DataNode shadow(ShadowRule rule, DataNode node) {
    return new DataNode(rule.shadow(node.dataSource()), node.table());
  }

  /** {@code dataSource.table} */
  private static String shadow(ShadowRule rule, String single) {
    int dot = single.indexOf('.');
    return dot < 0 ? single : rule.shadow(single.substring(0, dot)) + single.substring(dot);
  }

  private static LogicalDatabase both(LogicalDatabase database) {
    ShadowRule rule = database.shadow();
    var tables = new HashMap<>(database.shardedTables());
    rule.tables()
        .forEach(
            (key, table) -> {
              ShardedTable sharded = tables.get(key);
              if (sharded != null) {
                tables.put(key, onBoth(rule, sharded));
              } else if (!database.broadcastTables().containsKey(key)) {
                tables.put(key, single(database, table.name()));
              }
            });
    return view(database, tables, database.single(), ShadowRule.NONE);
  }

  private static ShardedTable onBoth(ShadowRule rule, ShardedTable table) {
    List<DataNode> nodes =
        Stream.concat(
                table.nodes().stream(), table.nodes().stream().map(node -> shadow(rule, node)))
            .distinct()
            .toList();
    return placed(table, nodes, rule.productions());
  }

  /** A table that is not sharded, on a production data source and its shadow. */
  private static ShardedTable single(LogicalDatabase database, String name) {
    ShadowRule rule = database.shadow();
    String standard = database.single().defaultDataSource();
    String production =
        database.endpoints().stream()
            .filter(rule.sources()::containsKey)
            .filter(source -> standard == null || source.equals(standard))
            .findFirst()
            .orElse(rule.sources().keySet().iterator().next());
    return new ShardedTable(
        name,
        List.of(new DataNode(production, name), new DataNode(rule.shadow(production), name)),
        ShardingStrategy.None.NONE,
        ShardingStrategy.None.NONE,
        null,
        -1);
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
      SingleTables single,
      ShadowRule hiding) {
    return new LogicalDatabase(
        database.name(),
        database.dataSources(),
        database.groups(),
        tables,
        database.broadcastTables(),
        single,
        database.keyPolicy(),
        database.creation(),
        database.encryption(),
        database.masks(),
        hiding);
  }
}
