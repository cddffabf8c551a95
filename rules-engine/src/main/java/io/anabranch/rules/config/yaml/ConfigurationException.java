package io.anabranch.rules.config.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. The message lists every problem, one a line. */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public ConfigurationException(List<Problem> problems) {
    super(
        problems.stream()
            .map(Problem::toString)
            .collect(Collectors.joining(System.lineSeparator())));
    this.problems = List.copyOf(problems);
  }

  /** All problems, ordered by file and place; never empty. */
  public List<Problem> problems() {
    return problems;
  }
}
