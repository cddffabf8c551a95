package io.anabranch.app.cli;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;

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
