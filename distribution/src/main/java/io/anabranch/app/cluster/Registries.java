package io.anabranch.app.cluster;

import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.JdbcRegistry;
import io.anabranch.backend.registry.RegistryProvider;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.util.ServiceLoader;

/** Registries by the kind of repository. */
final class Registries {

  private Registries() {}

  /**
   * Connects to nothing yet.
   *
   * @throws IllegalArgumentException if it is not configured as it must be, or not installed
   */
  static ClusterRegistry of(ClusterRepository repository) {
    return switch (repository) {
      case ClusterRepository.Jdbc jdbc -> new JdbcRegistry(jdbc);
      case ClusterRepository.ZooKeeper zooKeeper ->
          ServiceLoader.load(RegistryProvider.class)
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "mode.repository: ZooKeeper needs what is in"
                              + " anabranch-cluster-zookeeper-VERSION.tar.gz: unpack it in"
                              + " ext-lib/"))
              .open(zooKeeper);
    };
  }
}
