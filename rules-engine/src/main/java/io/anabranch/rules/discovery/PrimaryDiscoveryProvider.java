package io.anabranch.rules.discovery;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types that {@code discovery} of a group may name.
 */
public interface PrimaryDiscoveryProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * Asked with each reading of a configuration, also of one that does not come into force.
   *
   * @param properties the discovery's {@code props} as text, secrets in their places
   * @return may be asked for several groups
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  PrimaryDiscovery create(Map<String, String> properties);
}
