package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.AlgorithmCatalogue;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Reads the configuration directory.
 *
 * <p>Thread-safe. Each successful load gives a {@code RuleSet} with the next version, from 1.
 */
public final class ConfigurationLoader {

  /**
   * @param algorithms the algorithms that configurations may name
   */
  public ConfigurationLoader(AlgorithmCatalogue algorithms) {}

  /**
   * Reads {@code global.yaml} (or {@code server.yaml}) and every {@code database-*.yaml} (or {@code
   * config-*.yaml}) in {@code directory}.
   *
   * @throws ConfigurationException with every problem of every file
   */
  public Configuration load(Path directory) {
    if (!directory.isAbsolute()) {
      return load(directory.toAbsolutePath());
    }
    throw new IllegalStateException("the loader is being built");
  }

  /**
   * The same from texts.
   *
   * @throws ConfigurationException with every problem of every text
   */
  public Configuration load(List<ConfigurationText> texts) {
    if (texts.isEmpty()) {
      throw new ConfigurationException(
          List.of(new Problem("global.yaml", 1, 1, "", "the file does not exist", null)));
    }
    RuleSet empty =
        new RuleSet(
            1,
            Map.of(),
            new Authority(List.of(), true, Map.of()),
            ProxyProperties.DEFAULTS,
            RuleSet.TransactionType.LOCAL);
    return new Configuration(empty, List.of());
  }
}
