package io.anabranch.registry.zookeeper;

import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.RegistryProvider;
import io.anabranch.rules.model.cluster.ClusterRepository;

/** Found by {@code ServiceLoader}. */
public final class ZooKeeperProvider implements RegistryProvider {

  /** For the loader. */
  public ZooKeeperProvider() {}

  @Override
  public ClusterRegistry open(ClusterRepository.ZooKeeper repository) {
    return new ZooKeeperRegistry(repository);
  }
}
