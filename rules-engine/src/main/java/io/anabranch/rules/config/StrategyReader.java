package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A sharding strategy: exactly one of {@code standard}, {@code complex}, {@code hint}, none. */
final class StrategyReader {

  private static final List<String> KINDS = List.of("standard", "complex", "hint", "none");

  private final Definitions<ShardingAlgorithm> algorithms;
  private final @Nullable String defaultColumn;

  /**
   * @param defaultColumn {@code defaultShardingColumn}
   */
  StrategyReader(Definitions<ShardingAlgorithm> algorithms, @Nullable String defaultColumn) {
    this.algorithms = algorithms;
    this.defaultColumn = defaultColumn;
  }

  /** Null if there is no such key. */
  @Nullable Placed read(Section parent, String key) {
    Value value = parent.value(key);
    if (value == null) {
      return null;
    }
    Placed none = new Placed(ShardingStrategy.None.NONE, value);
    Section section = value.section();
    if (section == null) {
      return none;
    }
    List<String> present = new ArrayList<>();
    for (String kind : KINDS) {
      if (section.has(kind)) {
        present.add(kind);
      }
    }
    section.refused("complex", "the complex strategy", "use a standard strategy of one column");
    section.refused("hint", "the hint strategy", "use a standard strategy");
    section.close();
    if (present.size() != 1) {
      value.error(
          present.isEmpty()
              ? "has no strategy"
              : "has several strategies: " + String.join(", ", present),
          "write one of standard, none");
      return none;
    }
    Section standard = present.contains("standard") ? section.section("standard") : null;
    return standard == null ? none : standard(standard, value);
  }

  private Placed standard(Section section, Value value) {
    Value algorithmName = section.value("shardingAlgorithmName");
    ShardingAlgorithm algorithm = algorithms.get(algorithmName);
    section.required("shardingAlgorithmName");
    String column = section.text("shardingColumn", defaultColumn == null ? "" : defaultColumn);
    section.close();
    if (column.isBlank()) {
      section.error(
          "the key `shardingColumn` is missing", "there is no `defaultShardingColumn` either");
    }
    if (column.indexOf(',') >= 0) {
      section
          .problems()
          .error(
              section.keyPlace("shardingColumn"),
              "a standard strategy has one column",
              "several need the complex strategy, which is not supported yet");
    }
    if (algorithm == null || algorithmName == null) {
      return new Placed(null, value);
    }
    return new Placed(new ShardingStrategy.Standard(column.strip(), algorithm), algorithmName);
  }

  /**
   * A strategy and where it stands.
   *
   * @param strategy null after an error was reported
   */
  record Placed(@Nullable ShardingStrategy strategy, Value value) {

    /** Reports targets that do not suit the algorithm. */
    void review(String table, List<String> targets) {
      if (strategy instanceof ShardingStrategy.Standard(String column, ShardingAlgorithm algorithm)
          && algorithm instanceof TargetReview reviewer
          && !column.isEmpty()) {
        for (TargetReview.Finding finding : reviewer.review(column, new TargetSet(targets))) {
          String reason = "table `" + table + "`: " + finding.reason();
          if (finding.fatal()) {
            value.error(reason, finding.suggestion());
          } else {
            value.notice(reason, finding.suggestion());
          }
        }
      }
    }
  }
}
