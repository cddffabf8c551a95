package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code !SHADOW}. */
final class ShadowReader {

  private final Section rule;
  private final Endpoints endpoints;
  private final Set<String> accounts;
  private final AlgorithmReader reader;
  private final Definitions<ShadowAlgorithm> algorithms;

  /** Names of pairs of data sources. */
  private final Set<String> pairs = new HashSet<>();

  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, ShadowRule.Table> tables = new HashMap<>();

  /** By lower-case name. */
  private final Map<String, Section> sections = new LinkedHashMap<>();

  /**
   * @param accounts names of those who may log in
   */
  ShadowReader(Section rule, Endpoints endpoints, Set<String> accounts, AlgorithmReader reader) {
    this.reader = reader;
    this.rule = rule;
    this.endpoints = endpoints;
    this.accounts = accounts;
    this.algorithms =
        new Definitions<>("shadow algorithm", rule, "shadowAlgorithms", this::algorithm);
  }

  private @Nullable ShadowAlgorithm algorithm(Section section) {
    ShadowAlgorithm algorithm = reader.shadow(section);
    if (algorithm instanceof ShadowAlgorithm.User users) {
      Accounts.check(users.users(), accounts, section::error);
    }
    return algorithm;
  }

  ShadowRule read() {
    rule.named("dataSources").forEach(this::readPair);
    Value named = rule.value("defaultShadowAlgorithmName");
    ShadowAlgorithm standard = algorithms.get(named);
    if (standard instanceof ShadowAlgorithm.Column && named != null) {
      named.error(
          "the default shadow algorithm is one of a column",
          "name one of type SQL_HINT or USER_MATCH");
    }
    rule.named("tables").forEach((name, section) -> readTable(name, section, standard));
    if (pairs.isEmpty()) {
      rule.error("the rule !SHADOW has no data sources", "name a production one and its shadow");
    }
    algorithms.reportUnused();
    rule.close();
    return new ShadowRule(sources, tables, standard, Set.copyOf(sources.values()));
  }

  /**
   * Reports tables that are where there is no shadow: statements of the test would go to
   * production.
   *
   * @param sharded by lower-case name
   * @param broadcast likewise
   * @param production all data sources that are no shadows
   */
  void requireShadows(
      Map<String, ShardedTable> sharded, Set<String> broadcast, List<String> production) {
    sections.forEach(
        (key, section) -> {
          ShardedTable table = sharded.get(key);
          List<String> places =
              table != null
                  ? table.nodes().stream().map(DataNode::dataSource).distinct().toList()
                  : broadcast.contains(key) ? production : List.of();
          for (String place : places) {
            if (!sources.containsKey(place)) {
              section.error(
                  "the table `" + key + "` is on `" + place + "`, which has no shadow",
                  "name one in `dataSources` of !SHADOW");
            }
          }
        });
  }

  private void readPair(String name, Section section) {
    String production = section.required("productionDataSourceName");
    String shadow = section.required("shadowDataSourceName");
    Value first = section.value("productionDataSourceName");
    Value second = section.value("shadowDataSourceName");
    section.close();
    if (first == null
        || second == null
        || !endpoints.check(first, production)
        || !endpoints.check(second, shadow)) {
      return;
    }
    if (production.equals(shadow)) {
      section.error("`" + production + "` is the shadow of itself", "name another data source");
    } else if (sources.containsValue(shadow) || sources.containsKey(shadow)) {
      second.error("the data source `" + shadow + "` is in another pair", "each is in one");
    } else if (sources.containsValue(production) || sources.put(production, shadow) != null) {
      first.error("the data source `" + production + "` is in another pair", "each is in one");
    }
    pairs.add(name);
  }

  private void readTable(String name, Section section, @Nullable ShadowAlgorithm standard) {
    Value listed = section.value("dataSourceNames");
    for (String pair : listed == null ? List.<String>of() : Names.list(listed)) {
      if (listed != null && !pairs.contains(pair)) {
        listed.error(
            "there is no pair of data sources `" + pair + "` in !SHADOW",
            NearestName.suggestion(pair, pairs));
      }
    }
    var own = new ArrayList<ShadowAlgorithm>();
    Value named = section.value("shadowAlgorithmNames");
    for (Value each : named == null ? List.<Value>of() : section.items("shadowAlgorithmNames")) {
      ShadowAlgorithm algorithm = algorithms.get(each);
      if (algorithm != null) {
        own.add(algorithm);
      }
    }
    section.close();
    sections.putIfAbsent(name.toLowerCase(Locale.ROOT), section);
    if (named == null && standard != null) {
      own.add(standard);
    } else if (named == null) {
      section.error("the table `" + name + "` has no shadow algorithm", "name one");
    }
    if (tables.put(name.toLowerCase(Locale.ROOT), new ShadowRule.Table(name, own)) != null) {
      section.error("the table `" + name + "` is there twice", null);
    }
  }
}
