package io.anabranch.frontend.administration;

import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ShardedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Which rules of a database use a data source. */
final class RuleUsage {

  private RuleUsage() {}

  /** A row of kind and name for each. */
  static List<List<String>> of(LogicalDatabase database, String source) {
    var rows = new ArrayList<List<String>>();
    var sharded = new TreeSet<String>();
    for (ShardedTable table : database.shardedTables().values()) {
      if (table.nodes().stream().anyMatch(node -> node.dataSource().equals(source))) {
        sharded.add(table.name());
      }
    }
    sharded.forEach(name -> rows.add(List.of("sharding", name)));
    for (ReplicationGroup group : database.groups().values()) {
      if (group.primary().equals(source) || group.replicas().contains(source)) {
        rows.add(List.of("readwrite_splitting", group.name()));
      }
    }
    if (database.endpoints().contains(source)) {
      new TreeSet<>(database.broadcastTables().values())
          .forEach(name -> rows.add(List.of("broadcast", name)));
    }
    for (String entry : database.single().tables()) {
      if (entry.startsWith(source + ".")) {
        rows.add(List.of("single", entry.substring(source.length() + 1)));
      }
    }
    database
        .shadow()
        .sources()
        .forEach(
            (production, shadow) -> {
              if (production.equals(source) || shadow.equals(source)) {
                rows.add(List.of("shadow", production));
              }
            });
    return rows;
  }
}
