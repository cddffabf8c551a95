package io.anabranch.rules.algorithm.balance;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of load balancers that configurations name.
 */
public interface LoadBalancerProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * @param properties the balancer's {@code props} as text, secrets in their places
   * @return may be asked for several groups; what it throws ends the read that it is asked for
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  LoadBalancer create(Map<String, String> properties);
}
