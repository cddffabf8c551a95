package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.ColumnReview;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ShardingStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A sharding strategy: exactly one of {@code standard}, {@code complex}, {@code hint}, none. */
final class StrategyReader {

  private static final List<String> KINDS = List.of("standard", "complex", "hint", "none");

  private final Definitions<PlacementAlgorithm> algorithms;
  private final @Nullable String defaultColumn;

  /**
   * @param defaultColumn {@code defaultShardingColumn}
   */
  StrategyReader(Definitions<PlacementAlgorithm> algorithms, @Nullable String defaultColumn) {
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
    section.close();
    if (present.size() != 1) {
      value.error(
          present.isEmpty()
              ? "has no strategy"
              : "has several strategies: " + String.join(", ", present),
          "write one of " + String.join(", ", KINDS));
      return none;
    }
    String kind = present.getFirst();
    Section chosen = kind.equals("none") ? null : section.section(kind);
    return chosen == null ? none : placed(kind, chosen, value);
  }

  private Placed placed(String kind, Section section, Value value) {
    Value algorithmName = section.value("shardingAlgorithmName");
    PlacementAlgorithm algorithm = algorithms.get(algorithmName);
    section.required("shardingAlgorithmName");
    ShardingStrategy strategy =
        switch (kind) {
          case "standard" -> standard(section, algorithm);
          case "complex" -> complex(section, algorithm);
          default ->
              algorithm instanceof HintShardingAlgorithm hint
                  ? new ShardingStrategy.Hint(hint)
                  : null;
        };
    section.close();
    if (algorithm == null || algorithmName == null) {
      return new Placed(null, value);
    }
    if (strategy == null) {
      algorithmName.error(
          "the algorithm `" + algorithmName.text() + "` does not fit the strategy " + kind,
          "it is one for the strategy " + kindOf(algorithm));
    }
    return new Placed(strategy, algorithmName);
  }

  private static String kindOf(PlacementAlgorithm algorithm) {
    return switch (algorithm) {
      case ShardingAlgorithm _ -> "standard";
      case ComplexShardingAlgorithm _ -> "complex";
      case HintShardingAlgorithm _ -> "hint";
    };
  }

  private @Nullable ShardingStrategy standard(
      Section section, @Nullable PlacementAlgorithm algorithm) {
    String column = section.text("shardingColumn", defaultColumn == null ? "" : defaultColumn);
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
              "several need the complex strategy");
    }
    return algorithm instanceof ShardingAlgorithm fitting
        ? new ShardingStrategy.Standard(column.strip(), fitting)
        : null;
  }

  private static @Nullable ShardingStrategy complex(
      Section section, @Nullable PlacementAlgorithm algorithm) {
    Value names = section.value("shardingColumns");
    section.required("shardingColumns");
    List<String> columns = names == null ? List.of() : Names.list(names);
    if (!(algorithm instanceof ComplexShardingAlgorithm fitting)) {
      return null;
    }
    if (fitting instanceof ColumnReview review && names != null) {
      reviewed(names, () -> review.missing(columns))
          .forEach(
              missing ->
                  names.error(
                      "the algorithm's expression uses " + missing + ", which is not among them",
                      null));
    }
    return new ShardingStrategy.Complex(columns, fitting);
  }

  /** What a plug-in says of a strategy; one that cannot say is a problem. */
  private static <T> List<T> reviewed(Value place, Supplier<List<T>> review) {
    try {
      return review.get();
    } catch (RefusedException failure) {
      place.error(String.valueOf(failure.getMessage()), null);
      return List.of();
    }
  }

  /**
   * A strategy and where it stands.
   *
   * @param strategy null after an error was reported
   */
  record Placed(@Nullable ShardingStrategy strategy, Value value) {

    /**
     * Reports targets that do not suit the algorithm.
     *
     * @return whether an error was reported, here or before
     */
    boolean review(String table, List<String> targets) {
      boolean isWrong = strategy == null;
      if (strategy instanceof ShardingStrategy.Standard(String column, ShardingAlgorithm algorithm)
          && algorithm instanceof TargetReview reviewer
          && !column.isEmpty()) {
        for (TargetReview.Finding finding :
            reviewed(value, () -> reviewer.review(column, new TargetSet(targets)))) {
          String reason = "table `" + table + "`: " + finding.reason();
          isWrong |= finding.fatal();
          if (finding.fatal()) {
            value.error(reason, finding.suggestion());
          } else {
            value.notice(reason, finding.suggestion());
          }
        }
      }
      return isWrong;
    }
  }
}
