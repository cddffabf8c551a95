package io.anabranch.frontend.administration.rule;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.List;

/** A sharded table as the file says it, with the rule's defaults. */
public final class ShardedTableText {

  /** Where the rule has its algorithms. */
  public static final String SHARDING_ALGORITHMS = "shardingAlgorithms";

  /** Where it has its key generators. */
  public static final String KEY_GENERATORS = "keyGenerators";

  /** Where it has its auditors. */
  public static final String AUDITORS = "auditors";

  private final Mapping rule;
  private final String name;
  private final Mapping table;

  /**
   * @param rule that the table is part of
   */
  public ShardedTableText(Mapping rule, String name, Mapping table) {
    this.rule = rule;
    this.name = name;
    this.table = table;
  }

  /** Of one whose nodes are named. */
  public List<String> row() {
    return row(
        String.join(",", table.texts("actualDataNodes")),
        "",
        strategy("databaseStrategy", "defaultDatabaseStrategy"),
        strategy("tableStrategy", "defaultTableStrategy"));
  }

  /** Of one whose nodes the algorithm numbers. */
  public List<String> autoRow() {
    return row(
        "",
        String.join(",", table.texts("actualDataSources")),
        StrategyText.of(rule, table, ""),
        StrategyText.of(rule, table, "shardingStrategy"));
  }

  private StrategyText strategy(String own, String standard) {
    return table.has(own)
        ? StrategyText.of(rule, table, own)
        : StrategyText.of(rule, rule, standard);
  }

  private List<String> row(
      String nodes, String sources, StrategyText databases, StrategyText tables) {
    var row = new ArrayList<>(List.of(name, nodes, sources));
    for (StrategyText strategy : List.of(databases, tables)) {
      row.add(strategy.type());
      row.add(strategy.columns());
      row.add(strategy.algorithmType());
      row.add(strategy.props());
    }
    addKeys(row);
    Mapping audit = chosen("auditStrategy", "defaultAuditStrategy");
    Mapping auditors = rule.mapping(AUDITORS);
    row.add(
        String.join(
            ",",
            audit.texts("auditorNames").stream()
                .map(auditor -> AlgorithmText.type(auditors.mapping(auditor)))
                .toList()));
    row.add(audit.texts("auditorNames").isEmpty() ? "" : shownFlag(audit));
    return row;
  }

  /** Where no generator is named it is the default's, else SNOWFLAKE. */
  private void addKeys(List<String> row) {
    Mapping standard = rule.mapping("defaultKeyGenerateStrategy");
    Mapping own =
        table.has("keyGenerateStrategy") ? table.mapping("keyGenerateStrategy") : separate();
    Mapping key = own.entries().isEmpty() ? standard : own;
    String column = key.has("column") ? key.shown("column") : key.shown("keyGenerateColumn");
    String named = key.shown("keyGeneratorName");
    Mapping generator =
        rule.mapping(KEY_GENERATORS)
            .mapping(named.isEmpty() ? standard.shown("keyGeneratorName") : named);
    boolean isPlain = generator.entries().isEmpty() && !column.isEmpty();
    row.add(column);
    row.add(isPlain ? "SNOWFLAKE" : AlgorithmText.type(generator));
    row.add(AlgorithmText.props(generator));
  }

  /** What names the table among the strategies that stand beside the tables. */
  private Mapping separate() {
    return rule.mapping("keyGenerateStrategies").mappings().values().stream()
        .filter(each -> each.shown("logicTable").equalsIgnoreCase(name))
        .findFirst()
        .orElse(Mapping.EMPTY);
  }

  private static String shownFlag(Mapping audit) {
    String flag = audit.shown("allowHintDisable");
    return flag.isEmpty() ? "false" : flag;
  }

  private Mapping chosen(String own, String standard) {
    return table.has(own) ? table.mapping(own) : rule.mapping(standard);
  }
}
