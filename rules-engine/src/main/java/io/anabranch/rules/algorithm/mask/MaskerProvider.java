package io.anabranch.rules.algorithm.mask;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of maskers that configurations name.
 */
public interface MaskerProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * @param properties the masker's {@code props} as text, secrets in their places
   * @return what it throws ends the statement that reads the value; the message is told nobody
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  Masker create(Map<String, String> properties);
}
