package io.anabranch.rules.config.yaml;

/**
 * A configuration file's name and content. The name decides what it is: {@code global.yaml} or
 * {@code server.yaml}, {@code database-*.yaml} or {@code config-*.yaml}.
 */
public record ConfigurationText(String fileName, String content) {

  /** Without the content, which holds passwords. */
  @Override
  public String toString() {
    return fileName;
  }
}
