package io.anabranch.frontend.administration.rule;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the rule {@code !SHADOW} says. */
public final class ShadowText {

  private final Mapping rule;

  public ShadowText(Mapping rule) {
    this.rule = rule;
  }

  /** A row for each table of a pair: the pair, its data sources, the table. */
  public List<List<String>> pair(String name) {
    Mapping pair = rule.mapping("dataSources").mapping(name);
    var rows = new ArrayList<List<String>>();
    for (Map.Entry<String, Mapping> table : rule.mapping("tables").mappings().entrySet()) {
      if (table.getValue().texts("dataSourceNames").contains(name)) {
        rows.add(row(name, pair, table.getKey()));
      }
    }
    return rows.isEmpty() ? List.of(row(name, pair, "")) : rows;
  }

  private static List<String> row(String name, Mapping pair, String table) {
    return List.of(
        name, pair.shown("productionDataSourceName"), pair.shown("shadowDataSourceName"), table);
  }

  /** A row for each table: its name, and those of its algorithms. */
  public List<List<String>> tables() {
    return rule.mapping("tables").mappings().entrySet().stream()
        .map(
            table ->
                List.of(
                    table.getKey(),
                    String.join(",", table.getValue().texts("shadowAlgorithmNames"))))
        .toList();
  }

  /** A row for each algorithm: name, type, properties, whether it is the default. */
  public List<List<String>> algorithms() {
    String standard = rule.shown("defaultShadowAlgorithmName");
    var rows = new ArrayList<List<String>>();
    for (List<String> algorithm : AlgorithmText.rows(rule.mapping("shadowAlgorithms"))) {
      var row = new ArrayList<>(algorithm);
      row.add(Boolean.toString(algorithm.getFirst().equals(standard)));
      rows.add(row);
    }
    return rows;
  }
}
