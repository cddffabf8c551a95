package io.anabranch.frontend.configuration;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.util.List;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

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
  public List<String> change(UnaryOperator<ConfigurationDocuments> edit, String author) {
    throw fixed();
  }

  @Override
  public List<String> save() {
    throw fixed();
  }

  @Override
  public ConfigurationText read(String path) {
    throw fixed();
  }

  @Override
  public Configuration current() {
    throw fixed();
  }

  @Override
  public SortedSet<String> types(AlgorithmKind kind) {
    throw fixed();
  }

  @Override
  public List<ClusterMember> members() {
    return List.of();
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
