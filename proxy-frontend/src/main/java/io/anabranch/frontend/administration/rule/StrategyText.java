package io.anabranch.frontend.administration.rule;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.Locale;
import java.util.Map;

/**
 * How one level of a table is sharded, as the file says it; empty texts for what is not there.
 *
 * @param type in capitals
 * @param columns between commas
 */
public record StrategyText(
    String type, String columns, String algorithmName, String algorithmType, String props) {

  private static final StrategyText NOTHING = new StrategyText("", "", "", "", "");

  /**
   * @param rule has the algorithms and the default column
   * @param parent has the strategy
   */
  public static StrategyText of(Mapping rule, Mapping parent, String key) {
    Map<String, Mapping> kinds = parent.mapping(key).mappings();
    if (kinds.isEmpty()) {
      return NOTHING;
    }
    Map.Entry<String, Mapping> chosen = kinds.entrySet().iterator().next();
    String type = chosen.getKey().toUpperCase(Locale.ROOT);
    Mapping strategy = chosen.getValue();
    if (type.equals("NONE")) {
      return new StrategyText(type, "", "", "", "");
    }
    String column = strategy.shown("shardingColumn");
    if (column.isEmpty()) {
      column = String.join(",", strategy.texts("shardingColumns"));
    }
    if (column.isEmpty() && type.equals("STANDARD")) {
      column = rule.shown("defaultShardingColumn");
    }
    String name = strategy.shown("shardingAlgorithmName");
    Mapping algorithm = rule.mapping(ShardedTableText.SHARDING_ALGORITHMS).mapping(name);
    return new StrategyText(
        type, column, name, AlgorithmText.type(algorithm), AlgorithmText.props(algorithm));
  }
}
