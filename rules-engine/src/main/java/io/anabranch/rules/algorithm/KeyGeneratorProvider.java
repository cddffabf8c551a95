package io.anabranch.rules.algorithm;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of key generators that configurations name.
 */
public interface KeyGeneratorProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * Makes a generator. It lives as long as the definition in the configuration stays the same, over
   * reloads.
   *
   * @param properties the generator's {@code props}, as text
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  KeyGenerator create(Map<String, String> properties);
}
