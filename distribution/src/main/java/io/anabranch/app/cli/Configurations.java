package io.anabranch.app.cli;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;

/** Reads directories as a start does. */
final class Configurations {

  private Configurations() {}

  /**
   * @throws CommandFailure with every problem
   */
  static Configuration load(Path directory) {
    try {
      return loader().load(directory);
    } catch (ConfigurationException e) {
      throw new CommandFailure(Anabranch.CONFIGURATION, told(directory, e.problems()));
    }
  }

  /**
   * @param wanted its name; null where there is only one
   * @throws CommandFailure with the names there are
   */
  static LogicalDatabase database(RuleSet rules, @Nullable String wanted) {
    List<String> names = rules.databases().values().stream().map(LogicalDatabase::name).toList();
    if (wanted == null && names.size() == 1) {
      return rules.databases().values().iterator().next();
    }
    LogicalDatabase named = wanted == null ? null : rules.database(wanted);
    if (named == null) {
      throw new CommandFailure(
          2,
          (wanted == null ? "which database? -D " : "there is no database " + wanted + ": -D ")
              + String.join(", -D ", names));
    }
    return named;
  }

  private static ConfigurationLoader loader() {
    try {
      return InstalledAlgorithms.loader();
    } catch (ServiceConfigurationError | IllegalArgumentException e) {
      throw new CommandFailure(
          Anabranch.CONFIGURATION, "a plug-in of ext-lib cannot be used: " + e.getMessage());
    }
  }

  /** Each with the directory in front, so that editors and pipelines find the place. */
  static List<String> told(Path directory, List<Problem> problems) {
    return problems.stream()
        .map(
            each ->
                each.file().equals(directory.toString()) ? each.toString() : in(directory, each))
        .toList();
  }

  private static String in(Path directory, Problem problem) {
    // a path made of all of it would have one slash where a URL has two
    return directory.resolve(problem.file())
        + problem.toString().substring(problem.file().length());
  }
}
