package io.anabranch.app.convert;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of one {@code schema}: its tables as they are collected, and as YAML. */
final class MycatTables {

  /** A sharded table. */
  private record Sharded(
      String nodes, boolean isByTable, String column, String algorithm, String bound) {}

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, XmlElement> rules;
  private final Map<String, XmlElement> functions;
  private final Path folder;
  private final List<Leftover> leftovers;
  private final Map<String, Sharded> sharded = new LinkedHashMap<>();
  private final Map<String, MycatFunction> algorithms = new LinkedHashMap<>();
  private final List<String> broadcast = new ArrayList<>();
  private final List<String> single = new ArrayList<>();

  /**
   * @param rules {@code tableRule} by name
   * @param functions by name
   */
  MycatTables(
      Map<String, XmlElement> rules,
      Map<String, XmlElement> functions,
      Path folder,
      List<Leftover> leftovers) {
    this.rules = rules;
    this.functions = functions;
    this.folder = folder;
    this.leftovers = leftovers;
  }

  /** Names of {@code dataNodes} as the table says them. */
  static List<String> nodes(XmlElement table) {
    return MycatNames.of(table.attribute("dataNode").replaceFirst("^distribute\\((.*)\\)$", "$1"));
  }

  /**
   * Numbers the nodes of the longest table from 0, if a function of a table counts them.
   *
   * @return what nodes are called from now on, by their names
   */
  Map<String, String> number(List<XmlElement> tables) {
    boolean isNeeded =
        tables.stream()
            .map(table -> functions.get(function(rules.get(table.attribute("rule")))))
            .anyMatch(function -> function != null && MycatFunction.needsNumbers(function));
    if (isNeeded) {
      List<String> longest = List.of();
      for (XmlElement table : tables) {
        List<String> nodes = nodes(table);
        if (!table.attribute("rule").isEmpty() && nodes.size() > longest.size()) {
          longest = nodes;
        }
      }
      if (!areNumbered(longest)) {
        for (int i = 0; i < longest.size(); i++) {
          names.put(longest.get(i), "node_" + i);
        }
      }
    }
    return Map.copyOf(names);
  }

  private static boolean areNumbered(List<String> nodes) {
    String prefix = nodes.isEmpty() ? "" : nodes.getFirst().replaceFirst("\\d+$", "");
    for (int i = 0; i < nodes.size(); i++) {
      if (!nodes.get(i).equals(prefix + i)) {
        return false;
      }
    }
    return !nodes.isEmpty();
  }

  private static String function(@Nullable XmlElement rule) {
    return rule == null
        ? ""
        : rule.children("rule")
            .flatMap(each -> each.children("algorithm"))
            .map(XmlElement::content)
            .findFirst()
            .orElse("");
  }

  /**
   * @param all nodes of the schema
   */
  void add(XmlElement table, List<String> all) {
    for (String name : MycatNames.of(table.attribute("name"))) {
      String what = "table " + name;
      List<String> nodes =
          nodes(table).stream().map(node -> names.getOrDefault(node, node)).toList();
      List<String> parts = MycatNames.of(table.attribute("subTables"));
      if (table.attribute("dataNode").startsWith("distribute(")) {
        leftover(
            table,
            what + ", distribute(…)",
            "its order of nodes is Mycat's own: it is not converted");
      } else if (table.attribute("autoIncrement").equals("true")) {
        leftover(
            table,
            what + ", autoIncrement",
            "keys come from no global sequence: give it a keyGenerateStrategy (SNOWFLAKE or UUID), or let the application make them");
        place(table, name, what, nodes, parts, all);
      } else {
        place(table, name, what, nodes, parts, all);
      }
    }
  }

  private void place(
      XmlElement table,
      String name,
      String what,
      List<String> nodes,
      List<String> parts,
      List<String> all) {
    if (nodes.isEmpty()) {
      leftover(table, what, "it has no dataNode");
    } else if (table.attribute("type").equalsIgnoreCase("global")) {
      broadcast.add(name);
      if (!nodes.containsAll(all)) {
        leftover(
            table,
            what + ", global",
            "its copies are on all data sources of the database here: create it on "
                + String.join(", ", all.stream().filter(node -> !nodes.contains(node)).toList()));
      }
    } else if (table.attribute("rule").isEmpty()) {
      if (nodes.size() > 1 || !parts.isEmpty()) {
        leftover(table, what, "it is on several nodes without a rule");
      } else {
        single.add(nodes.getFirst() + "." + name);
      }
    } else {
      shard(table, name, what, nodes, parts);
    }
  }

  private void shard(
      XmlElement table, String name, String what, List<String> nodes, List<String> parts) {
    XmlElement rule = rules.get(table.attribute("rule"));
    String column =
        rule == null
            ? ""
            : rule.children("rule")
                .flatMap(each -> each.children("columns"))
                .map(XmlElement::content)
                .findFirst()
                .orElse("");
    String called = function(rule);
    XmlElement function = functions.get(called);
    if (rule == null || function == null || column.isEmpty() || column.contains(",")) {
      leftover(
          table,
          what,
          "rule "
              + table.attribute("rule")
              + (rule == null ? " is not in rule.xml" : " has no function and one column"));
      return;
    }
    if (!parts.isEmpty() && nodes.size() > 1) {
      leftover(table, what + ", subTables", "subTables on several nodes are not converted");
      return;
    }
    boolean isByTable = !parts.isEmpty();
    String algorithm = algorithm(table, what, function, column, isByTable ? parts : nodes);
    if (algorithm.isEmpty()) {
      return;
    }
    String all =
        isByTable
            ? parts.stream()
                .map(part -> nodes.getFirst() + "." + part)
                .collect(Collectors.joining(", "))
            : nodes.stream().map(node -> node + "." + name).collect(Collectors.joining(", "));
    sharded.put(name, new Sharded(all, isByTable, column, algorithm, name));
    if (!isByTable) {
      table.children("childTable").forEach(child -> child(child, function, nodes, column, name));
    } else if (!table.children().isEmpty()) {
      leftover(
          table, what + ", childTable", "children of a table with subTables are not converted");
    }
  }

  /** The name of the algorithm; empty if there is none, which is told. */
  private String algorithm(
      XmlElement table, String what, XmlElement function, String column, List<String> nodes) {
    MycatFunction made = MycatFunction.of(function, column, nodes, areNumbered(nodes), folder);
    if (!made.reason().isEmpty()) {
      leftover(
          table,
          what
              + (made.isConverted() ? ", function " : ": not converted, function ")
              + function.attribute("name"),
          made.reason());
    }
    if (!made.isConverted()) {
      return "";
    }
    String name = (function.attribute("name") + "_" + column).replaceAll("[^A-Za-z0-9_]", "_");
    String free = name;
    for (int i = 2; !made.equals(algorithms.getOrDefault(free, made)); i++) {
      free = name + "_" + i;
    }
    algorithms.put(free, made);
    return free;
  }

  /**
   * A child is placed by its parent's row: by the same function if the two are joined by the
   * sharding column.
   */
  private void child(
      XmlElement child, XmlElement function, List<String> nodes, String parentColumn, String root) {
    String name = child.attribute("name");
    String what = "childTable " + name;
    if (!child.attribute("parentKey").equalsIgnoreCase(parentColumn)) {
      leftover(
          child,
          what,
          "its parent is sharded by "
              + parentColumn
              + ", not by "
              + child.attribute("parentKey")
              + ": rows would have to be looked up. Give it the parent's sharding column, and both the same algorithm");
      return;
    }
    String column = child.attribute("joinKey");
    String algorithm = algorithm(child, what, function, column, nodes);
    if (algorithm.isEmpty()) {
      return;
    }
    String all = nodes.stream().map(node -> node + "." + name).collect(Collectors.joining(", "));
    sharded.put(name, new Sharded(all, false, column, algorithm, root));
    child.children("childTable").forEach(next -> child(next, function, nodes, column, root));
  }

  private void leftover(XmlElement at, String what, String why) {
    leftovers.add(new Leftover(at.place(), what, why));
  }

  /**
   * @param standard where tables go that are not named; empty: nowhere
   */
  String yaml(String standard) {
    var text = new StringBuilder();
    if (!sharded.isEmpty()) {
      text.append("- !SHARDING\n  tables:\n");
      sharded.forEach((name, table) -> append(text, name, table));
      var groups = new HashMap<String, List<String>>();
      sharded.forEach(
          (name, table) -> groups.computeIfAbsent(table.bound(), _ -> new ArrayList<>()).add(name));
      List<List<String>> bound =
          groups.values().stream().filter(group -> group.size() > 1).toList();
      if (!bound.isEmpty()) {
        text.append("  bindingTables:\n");
        bound.forEach(
            group ->
                text.append("    - ").append(YamlText.of(String.join(", ", group))).append('\n'));
      }
      text.append("  shardingAlgorithms:\n");
      algorithms.forEach((name, made) -> append(text, name, made));
    }
    if (!broadcast.isEmpty()) {
      text.append("- !BROADCAST\n  tables: ").append(YamlText.list(broadcast)).append('\n');
    }
    var tables = new ArrayList<>(single);
    if (!standard.isEmpty()) {
      tables.removeIf(table -> table.startsWith(standard + "."));
      tables.add(standard + ".*");
    }
    if (!tables.isEmpty()) {
      text.append("- !SINGLE\n  tables: ").append(YamlText.list(tables)).append('\n');
      if (!standard.isEmpty()) {
        text.append("  defaultDataSource: ").append(YamlText.of(standard)).append('\n');
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String name, Sharded table) {
    String strategy =
        "{ standard: { shardingColumn: "
            + YamlText.of(table.column())
            + ", shardingAlgorithmName: "
            + YamlText.of(table.algorithm())
            + " } }\n";
    text.append("    ")
        .append(YamlText.of(name))
        .append(":\n      actualDataNodes: ")
        .append(YamlText.of(table.nodes()))
        .append('\n');
    text.append(table.isByTable() ? "      tableStrategy: " : "      databaseStrategy: ")
        .append(strategy);
  }

  private static void append(StringBuilder text, String name, MycatFunction made) {
    text.append("    ").append(YamlText.of(name)).append(":\n      type: ").append(made.type());
    text.append("\n      props:\n");
    made.props()
        .forEach(
            (key, value) ->
                text.append("        ")
                    .append(key)
                    .append(": ")
                    .append(value.matches("-?\\d{1,9}|true") ? value : YamlText.of(value))
                    .append('\n'));
  }
}
