package io.anabranch.frontend.administration;

import io.anabranch.frontend.administration.definition.TableLists;
import io.anabranch.frontend.administration.rule.AlgorithmText;
import io.anabranch.frontend.administration.rule.ShardedTableText;
import io.anabranch.frontend.administration.rule.StrategyText;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What the rule {@code !SHARDING} of a database says. */
final class ShardingListings {

  static final List<ResultColumn> TABLES =
      Columns.of(
          "table",
          "actual_data_nodes",
          "actual_data_sources",
          "database_strategy_type",
          "database_sharding_column",
          "database_sharding_algorithm_type",
          "database_sharding_algorithm_props",
          "table_strategy_type",
          "table_sharding_column",
          "table_sharding_algorithm_type",
          "table_sharding_algorithm_props",
          "key_generate_column",
          "key_generator_type",
          "key_generator_props",
          "auditor_types",
          "allow_hint_disable");

  static final List<ResultColumn> NODES = Columns.of("name", "nodes");
  static final List<ResultColumn> ALGORITHMS = Columns.of("name", "type", "props");
  static final List<ResultColumn> REFERENCES = Columns.of("name", "sharding_table_reference");
  static final List<ResultColumn> NAMES = Columns.of("name");
  static final List<ResultColumn> USERS = Columns.of("type", "name");

  static final List<ResultColumn> DEFAULTS =
      Columns.of(
          "name",
          "type",
          "sharding_column",
          "sharding_algorithm_name",
          "sharding_algorithm_type",
          "sharding_algorithm_props");

  private ShardingListings() {}

  static Mapping rule(Request request) {
    return request.document().rule("SHARDING");
  }

  /** All tables, or the one that is asked for. */
  static List<List<String>> tables(Request request) {
    Mapping rule = rule(request);
    var rows = new ArrayList<List<String>>();
    rule.mapping("tables")
        .mappings()
        .forEach(
            (name, table) -> {
              if (request.wants("table", name)) {
                rows.add(new ShardedTableText(rule, name, table).row());
              }
            });
    rule.mapping("autoTables")
        .mappings()
        .forEach(
            (name, table) -> {
              if (request.wants("table", name)) {
                rows.add(new ShardedTableText(rule, name, table).autoRow());
              }
            });
    return rows;
  }

  /** The nodes of each table, or of the one that is asked for. */
  static List<List<String>> nodes(Request request) {
    Map<String, ShardedTable> tables = request.database().shardedTables();
    return tables.values().stream()
        .filter(table -> request.wants("table", table.name()))
        .map(table -> List.of(table.name(), nodes(table.nodes())))
        .sorted((a, b) -> a.getFirst().compareTo(b.getFirst()))
        .toList();
  }

  private static String nodes(List<DataNode> nodes) {
    return String.join(
        ", ", nodes.stream().map(node -> node.dataSource() + "." + node.table()).toList());
  }

  /** Algorithms, generators or auditors: what is defined under {@code key}. */
  static Form.Rows defined(String key) {
    return request -> AlgorithmText.rows(rule(request).mapping(key));
  }

  /** Those of them that nothing names. */
  static Form.Rows unused(String key) {
    return request -> {
      Mapping rule = rule(request);
      Set<String> used = new HashSet<>();
      named(key, rule, used);
      return AlgorithmText.rows(rule.mapping(key)).stream()
          .filter(row -> !used.contains(row.getFirst()))
          .toList();
    };
  }

  /** Tables that name the algorithm, generator or auditor that is asked for. */
  static Form.Rows users(String key) {
    return request -> {
      Mapping rule = rule(request);
      var tables = new LinkedHashMap<String, Mapping>();
      var automatic = new LinkedHashMap<String, Mapping>();
      Predicate<Mapping> uses =
          table -> {
            Set<String> names = new HashSet<>();
            named(key, table, names);
            return names.contains(request.given("name"));
          };
      rule.mapping("tables").mappings().forEach((name, table) -> put(tables, name, table, uses));
      rule.mapping("autoTables")
          .mappings()
          .forEach((name, table) -> put(automatic, name, table, uses));
      var rows = new ArrayList<List<String>>();
      tables.keySet().forEach(name -> rows.add(List.of("table", name)));
      automatic.keySet().forEach(name -> rows.add(List.of("auto_table", name)));
      return rows;
    };
  }

  private static void put(
      Map<String, Mapping> found, String name, Mapping table, Predicate<Mapping> uses) {
    if (uses.test(table)) {
      found.put(name, table);
    }
  }

  /** Names of definitions that are used somewhere in a part. */
  private static void named(String key, DocumentPart part, Set<String> names) {
    String reference =
        switch (key) {
          case ShardedTableText.SHARDING_ALGORITHMS -> "shardingAlgorithmName";
          case ShardedTableText.KEY_GENERATORS -> "keyGeneratorName";
          default -> "auditorNames";
        };
    if (part instanceof Mapping mapping) {
      names.addAll(mapping.texts(reference));
      mapping.entries().values().forEach(each -> named(key, each, names));
    }
  }

  static List<List<String>> defaults(Request request) {
    Mapping rule = rule(request);
    var rows = new ArrayList<List<String>>();
    for (String level : List.of("Table", "Database")) {
      String key = "default" + level + "Strategy";
      if (rule.has(key)) {
        StrategyText strategy = StrategyText.of(rule, rule, key);
        rows.add(
            List.of(
                level.toUpperCase(Locale.ROOT),
                strategy.type(),
                strategy.columns(),
                strategy.algorithmName(),
                strategy.algorithmType(),
                strategy.props()));
      }
    }
    return rows;
  }

  /** Binding tables; where files give them no names, by their tables. */
  static List<List<String>> references(Request request) {
    var rows = new ArrayList<List<String>>();
    for (String group : rule(request).texts("bindingTables")) {
      String name = TableLists.referenceName(group);
      if (request.wants("name", name)) {
        rows.add(List.of(name, String.join(",", TableLists.referenced(group))));
      }
    }
    return rows;
  }
}
