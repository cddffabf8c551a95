package io.anabranch.rules.algorithm.shadow;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of shadow algorithms that configurations name. Which column and which statements are
 * meant say the props {@code column} and {@code operation}, as for built-in types.
 */
public interface ShadowMatcherProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * @param properties the algorithm's other {@code props} as text, secrets in their places
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  ShadowMatcher create(Map<String, String> properties);
}
