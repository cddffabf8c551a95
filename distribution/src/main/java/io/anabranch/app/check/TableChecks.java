package io.anabranch.app.check;

import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Compares the tables that rules name with those that are there. A table that is nowhere yet is for
 * CREATE TABLE to make; one that is on some of its nodes only, or lacks a column that rules name,
 * or that the account may not read, would fail in the middle of statements.
 */
final class TableChecks {

  private static final String RULES = "rules";

  private final Configuration configuration;
  private final LogicalDatabase database;

  TableChecks(Configuration configuration, LogicalDatabase database) {
    this.configuration = configuration;
    this.database = database;
  }

  /** One logical table: where it belongs by name and place in the file. */
  private record Wanted(String name, String place, List<DataNode> nodes, Set<String> columns) {}

  private List<Wanted> wanted() {
    var wanted = new ArrayList<Wanted>();
    for (ShardedTable table : database.shardedTables().values()) {
      wanted.add(
          new Wanted(
              table.name(),
              place("!SHARDING", "tables", table.name()),
              table.nodes(),
              columns(table)));
    }
    for (String table : database.broadcastTables().values()) {
      List<DataNode> nodes = database.everywhere(table);
      wanted.add(new Wanted(table, place("!BROADCAST", "tables", table), nodes, Set.of()));
    }
    for (String table : database.single().tables()) {
      int dot = table.indexOf('.');
      if (dot > 0 && !table.endsWith("*")) {
        var node =
            new DataNode(table.substring(0, dot), table.substring(table.lastIndexOf('.') + 1));
        wanted.add(
            new Wanted(node.table(), place("!SINGLE", "tables", table), List.of(node), Set.of()));
      }
    }
    return wanted;
  }

  private String place(String... path) {
    var whole = new ArrayList<String>(List.of(RULES));
    whole.addAll(List.of(path));
    return configuration.place(database.name(), whole.toArray(String[]::new)) + ": ";
  }

  /** Columns that rules name, in lower case. */
  private static Set<String> columns(ShardedTable table) {
    var columns = new LinkedHashSet<String>();
    for (ShardingStrategy each : List.of(table.databaseStrategy(), table.tableStrategy())) {
      switch (each) {
        case ShardingStrategy.Standard standard -> columns.add(lower(standard.column()));
        case ShardingStrategy.Complex complex ->
            complex.columns().forEach(column -> columns.add(lower(column)));
        case ShardingStrategy.Hint _, ShardingStrategy.None _ -> {}
      }
    }
    if (table.keyGeneration() != null) {
      columns.add(lower(table.keyGeneration().column()));
    }
    return columns;
  }

  /** Actual tables that rules place on a data source, as configured. */
  Set<String> tablesOn(String source) {
    var tables = new LinkedHashSet<String>();
    for (Wanted each : wanted()) {
      for (DataNode node : each.nodes) {
        if (writer(node).equals(source)) {
          tables.add(node.table());
        }
      }
    }
    return tables;
  }

  private String writer(DataNode node) {
    ReplicationGroup group = database.groups().get(node.dataSource());
    return group == null ? node.dataSource() : group.primary();
  }

  /**
   * @param found by data source, those that have told; then by table in lower case
   */
  void judge(
      Map<String, Map<String, FoundTable>> found, List<String> problems, List<String> notices) {
    var families = new LinkedHashMap<String, Map<String, String>>();
    for (Wanted each : wanted()) {
      var there = new LinkedHashMap<DataNode, FoundTable>();
      var missing = new ArrayList<DataNode>();
      for (DataNode node : each.nodes) {
        Map<String, FoundTable> tables = found.get(writer(node));
        FoundTable table = tables == null ? null : tables.get(lower(node.table()));
        if (table != null) {
          there.put(node, table);
        } else if (tables != null) {
          missing.add(node);
        }
      }
      missing(each, there.isEmpty(), missing, problems, notices);
      columns(each, there, problems, notices);
      families.put(lower(each.name), families(each, there, problems));
    }
    bindings(families, problems);
  }

  private static void missing(
      Wanted table,
      boolean isNowhere,
      List<DataNode> missing,
      List<String> problems,
      List<String> notices) {
    if (isNowhere && !missing.isEmpty()) {
      notices.add(
          "%stable %s is on none of its nodes, or the account sees none: CREATE TABLE makes it on all"
              .formatted(table.place, table.name));
      return;
    }
    for (DataNode node : missing) {
      problems.add(
          "%stable %s: there is no %s on %s, or the account does not see it; other nodes have theirs"
              .formatted(table.place, table.name, node.table(), node.dataSource()));
    }
  }

  private static void columns(
      Wanted table, Map<DataNode, FoundTable> there, List<String> problems, List<String> notices) {
    there.forEach(
        (node, found) -> {
          String where = table.place + "table " + table.name + ": " + name(node);
          for (String column : table.columns) {
            if (!found.types().containsKey(column)) {
              problems.add(where + " has no column " + column);
            }
          }
          if (!found.isReadable()) {
            problems.add(where + " may not be read by the account of its data source");
          } else if (!found.isWritable()) {
            notices.add(where + " may not be written by the account of its data source");
          }
        });
  }

  /** What each column of the rules is, by its name; told where nodes do not agree. */
  private static Map<String, String> families(
      Wanted table, Map<DataNode, FoundTable> there, List<String> problems) {
    var families = new LinkedHashMap<String, String>();
    for (String column : table.columns) {
      there.forEach(
          (node, found) -> {
            String type = found.types().get(column);
            if (type != null) {
              String family = FoundTable.family(type);
              String first = families.putIfAbsent(column, family);
              if (first != null && !first.equals(family)) {
                problems.add(
                    "%stable %s: %s.%s is %s, but of the type %s on nodes before"
                        .formatted(table.place, table.name, name(node), column, type, first));
              }
            }
          });
    }
    return families;
  }

  /** Tables that are bound meet by their sharding columns: those must compare alike. */
  private void bindings(Map<String, Map<String, String>> families, List<String> problems) {
    var first = new LinkedHashMap<Integer, ShardedTable>();
    for (ShardedTable table : database.shardedTables().values()) {
      if (table.bindingGroup() < 0) {
        continue;
      }
      ShardedTable other = first.putIfAbsent(table.bindingGroup(), table);
      if (other != null && table.tableStrategy() instanceof ShardingStrategy.Standard own) {
        String here = family(families, table, own.column());
        String there =
            other.tableStrategy() instanceof ShardingStrategy.Standard standard
                ? family(families, other, standard.column())
                : here;
        if (!here.isEmpty() && !there.isEmpty() && !here.equals(there)) {
          problems.add(
              "%stables %s and %s are bound, but their sharding columns are of the types %s and %s"
                  .formatted(
                      place("!SHARDING", "bindingTables"),
                      other.name(),
                      table.name(),
                      there,
                      here));
        }
      }
    }
  }

  private static String family(
      Map<String, Map<String, String>> families, ShardedTable table, String column) {
    return families.getOrDefault(lower(table.name()), Map.of()).getOrDefault(lower(column), "");
  }

  private static String name(DataNode node) {
    return node.dataSource() + "." + node.table();
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
