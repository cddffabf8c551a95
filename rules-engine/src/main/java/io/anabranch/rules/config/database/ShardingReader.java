package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase.KeyPolicy;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardedTable.KeyGeneration;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code !SHARDING}. */
final class ShardingReader {

  /** What tables may be called without quotes, and a hyphen. */
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$.-]+");

  private static final ShardingStrategy NONE = ShardingStrategy.None.NONE;

  private final Section rule;
  private final Endpoints endpoints;
  private final Definitions<PlacementAlgorithm> algorithms;
  private final KeyGenerationReader keys;
  private final AuditReader audits;
  private final StrategyReader strategies;
  private final StrategyReader.@Nullable Placed defaultDatabase;
  private final StrategyReader.@Nullable Placed defaultTable;
  private final Map<String, ShardedTable> tables = new LinkedHashMap<>();

  /** Of all tables, those too that something is wrong with. */
  private final Set<String> names = new LinkedHashSet<>();

  /** Those whose way to their nodes is not known: nothing else can be said of it. */
  private final Set<String> unsound = new HashSet<>();

  private final Map<DataNode, String> ownerOfNode = new HashMap<>();

  ShardingReader(Section rule, Endpoints endpoints, AlgorithmReader reader) {
    this.rule = rule;
    this.endpoints = endpoints;
    this.algorithms =
        new Definitions<>("sharding algorithm", rule, "shardingAlgorithms", reader::sharding);
    this.keys = new KeyGenerationReader(rule, reader);
    this.audits = new AuditReader(rule, reader);
    this.strategies = new StrategyReader(algorithms, rule.text("defaultShardingColumn"));
    this.defaultDatabase = strategies.read(rule, "defaultDatabaseStrategy");
    this.defaultTable = strategies.read(rule, "defaultTableStrategy");
  }

  /**
   * The tables by lower-case name.
   *
   * @param broadcast gets the tables of the old key {@code broadcastTables}
   */
  Map<String, ShardedTable> read(Map<String, String> broadcast) {
    rule.named("tables").forEach(this::readTable);
    rule.named("autoTables").forEach(this::readAutoTable);
    keys.finish();
    audits.finish();
    Value oldBroadcast = rule.value("broadcastTables");
    if (oldBroadcast != null) {
      oldBroadcast.notice("is an old form", "use the rule !BROADCAST");
      DatabaseReader.addBroadcast(oldBroadcast, tables, broadcast);
    }
    Map<String, ShardedTable> bound =
        new BindingReader(tables, names, unsound).read(rule.items("bindingTables"));
    algorithms.reportUnused();
    rule.close();
    return bound;
  }

  /** To be asked before {@link #read}, which ends the section. */
  KeyPolicy keyPolicy() {
    Value loose = rule.value("uniqueKeysWithoutShardingColumns");
    String chosen = loose == null ? null : loose.text();
    boolean refuses = "REFUSE".equalsIgnoreCase(chosen);
    boolean checks = "CHECK".equalsIgnoreCase(chosen);
    if (loose != null && !refuses && !checks && !"WARN".equalsIgnoreCase(chosen)) {
      loose.error("`" + chosen + "` is no choice", "there are WARN, CHECK, REFUSE");
    }
    return new KeyPolicy(refuses, checks);
  }

  private void readTable(String name, Section section) {
    names.add(name.toLowerCase(Locale.ROOT));
    Value expression = section.value("actualDataNodes");
    StrategyReader.Placed ownDatabase = strategies.read(section, "databaseStrategy");
    StrategyReader.Placed ownTable = strategies.read(section, "tableStrategy");
    KeyGeneration keyGeneration = keys.read(section, name);
    ShardedTable.Audit audit = audits.read(section);
    section.close();
    StrategyReader.Placed database = ownDatabase == null ? defaultDatabase : ownDatabase;
    StrategyReader.Placed table = ownTable == null ? defaultTable : ownTable;
    List<DataNode> nodes;
    if (expression == null || expression.isNull()) {
      nodes = endpoints.names().stream().map(each -> new DataNode(each, name)).toList();
      if (ownTable != null && !NONE.equals(ownTable.strategy())) {
        ownTable.value().error("a table strategy needs `actualDataNodes`", "use `none`");
      }
      table = null;
    } else {
      nodes = nodes(expression, name);
    }
    if (nodes.isEmpty()) {
      return;
    }
    review(name, nodes, database, table);
    add(
        section,
        new ShardedTable(
            name, nodes, strategy(database), strategy(table), keyGeneration, -1, audit));
  }

  private static ShardingStrategy strategy(StrategyReader.@Nullable Placed placed) {
    return placed == null || placed.strategy() == null ? NONE : placed.strategy();
  }

  private void review(
      String name,
      List<DataNode> nodes,
      StrategyReader.@Nullable Placed database,
      StrategyReader.@Nullable Placed table) {
    boolean isWrong =
        database != null
            && database.review(name, nodes.stream().map(DataNode::dataSource).distinct().toList());
    if (table != null) {
      isWrong |= table.review(name, nodes.stream().map(DataNode::table).distinct().toList());
    }
    if (isWrong) {
      unsound.add(name.toLowerCase(Locale.ROOT));
    }
  }

  /** Valid nodes only; empty after an error. */
  private List<DataNode> nodes(Value expression, String table) {
    List<DataNode> nodes = new ArrayList<>();
    boolean isComplete = true;
    List<String> names = Names.expand(expression);
    for (String name : names) {
      int dot = name.indexOf('.');
      if (dot <= 0 || dot == name.length() - 1 || name.indexOf('.', dot + 1) >= 0) {
        expression.error("`" + name + "` has not the form dataSource.table", null);
        return List.of();
      }
      if (!NAME.matcher(name).matches()) {
        expression.error(
            "`" + name + "` is no name of a table",
            "a prefix like <INTERVAL> starts the expression, and its names have their data source");
        return List.of();
      }
      DataNode node = new DataNode(name.substring(0, dot), name.substring(dot + 1));
      if (!endpoints.check(expression, node.dataSource())) {
        isComplete = false;
        continue;
      }
      String owner = ownerOfNode.putIfAbsent(node, table);
      if (owner != null) {
        expression.error(
            "the node " + name + " is there twice, in `" + owner + "` and `" + table + "`", null);
        return List.of();
      }
      nodes.add(node);
    }
    return isComplete ? nodes : List.of();
  }

  private void readAutoTable(String name, Section section) {
    names.add(name.toLowerCase(Locale.ROOT));
    Value expression = section.value("actualDataSources");
    List<String> sources =
        expression == null || expression.isNull() ? endpoints.names() : Names.expand(expression);
    StrategyReader.Placed placed = strategies.read(section, "shardingStrategy");
    KeyGeneration keyGeneration = keys.read(section, name);
    ShardedTable.Audit audit = audits.read(section);
    section.close();
    if (expression != null
        && sources.stream().filter(each -> !endpoints.check(expression, each)).count() > 0) {
      return;
    }
    if (placed == null) {
      section.error("the key `shardingStrategy` is missing", null);
      return;
    }
    if (sources.isEmpty() || placed.strategy() == null) {
      return;
    }
    if (!(placed.strategy() instanceof ShardingStrategy.Standard standard)
        || !(standard.algorithm() instanceof AutomaticAlgorithm algorithm)) {
      placed
          .value()
          .error(
              "an auto table needs an algorithm that numbers its tables",
              "there are MOD, HASH_MOD, VOLUME_RANGE, BOUNDARY_RANGE, AUTO_INTERVAL");
      return;
    }
    List<DataNode> nodes = new ArrayList<>();
    for (int i = 0; i < algorithm.targetCount(); i++) {
      nodes.add(new DataNode(sources.get(i % sources.size()), name + "_" + i));
    }
    placed.review(name, nodes.stream().map(DataNode::table).toList());
    add(section, new ShardedTable(name, nodes, NONE, standard, keyGeneration, -1, audit));
  }

  private void add(Section section, ShardedTable table) {
    KeyGeneration keyGeneration = table.keyGeneration();
    if (keyGeneration != null
        && keyGeneration.generator() instanceof StoredKeys stored
        && !endpoints.names().contains(stored.dataSource())) {
      section.error(
          "the key generator of `"
              + table.name()
              + "` needs the data source `"
              + stored.dataSource()
              + "`, which is not there",
          NearestName.suggestion(stored.dataSource(), endpoints.names()));
    }
    ShardedTable other = tables.putIfAbsent(table.name().toLowerCase(Locale.ROOT), table);
    if (other != null) {
      section.error("the table `" + other.name() + "` is there twice", "remove one of them");
    }
  }
}
