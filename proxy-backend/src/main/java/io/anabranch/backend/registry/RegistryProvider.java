package io.anabranch.backend.registry;

import io.anabranch.rules.model.cluster.ClusterRepository;

/**
 * Brings the registry of a kind that the proxy does not carry itself. Found by {@code
 * ServiceLoader}, in {@code ext-lib/}.
 */
public interface RegistryProvider {

  /** Connects to nothing yet. */
  ClusterRegistry open(ClusterRepository.ZooKeeper repository);
}
