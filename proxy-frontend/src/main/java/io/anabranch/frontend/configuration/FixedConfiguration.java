package io.anabranch.frontend.configuration;

import io.anabranch.rules.config.Configuration;
import java.util.List;

/** Was given once and for all. */
final class FixedConfiguration implements ConfigurationControl {

  @Override
  public List<String> reload(String author) {
    throw fixed();
  }

  @Override
  public List<String> difference() {
    return List.of();
  }

  @Override
  public Configuration current() {
    throw fixed();
  }

  @Override
  public List<Version> history() {
    return List.of();
  }

  @Override
  public List<String> rollback(String author) {
    throw fixed();
  }

  private static ConfigurationRefusedException fixed() {
    return new ConfigurationRefusedException(List.of("the configuration is in no files"));
  }
}
