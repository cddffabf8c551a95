package io.anabranch.frontend.configuration;

import java.util.List;

/** A configuration that is not put in force: everything stays as it is. */
public final class ConfigurationRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  /**
   * @param problems all of them, without passwords
   */
  public ConfigurationRefusedException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
