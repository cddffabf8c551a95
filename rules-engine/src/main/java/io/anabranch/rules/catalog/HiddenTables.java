package io.anabranch.rules.catalog;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of an endpoint that lists of a logical database leave out: the proxies' own, nodes of
 * sharded tables for which another one is listed, copies of broadcast tables, and what has the name
 * of a sharded table and is none of its nodes, which no statement reaches.
 */
public final class HiddenTables {

  private HiddenTables() {}

  /**
   * Their actual names, sorted.
   *
   * @param isListed whether lists show that node of a table
   */
  public static SortedSet<String> on(
      String endpoint,
      RuleSet rules,
      LogicalDatabase database,
      BiPredicate<ShardedTable, DataNode> isListed) {
    var hidden = new TreeSet<>(OwnTables.names(rules));
    for (ShardedTable table : database.shardedTables().values()) {
      var here = table.nodes().stream().filter(node -> node.dataSource().equals(endpoint)).toList();
      var listed =
          here.stream()
              .filter(node -> isListed.test(table, node))
              .map(DataNode::table)
              .collect(Collectors.toSet());
      Stream.concat(Stream.of(table.name()), here.stream().map(DataNode::table))
          .filter(name -> !listed.contains(name))
          .forEach(hidden::add);
    }
    if (!endpoint.equals(database.endpoints().getFirst())) {
      hidden.addAll(database.broadcastTables().values());
    }
    return hidden;
  }
}
