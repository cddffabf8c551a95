package io.anabranch.rules.algorithm.encrypt;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of encryptors that configurations name.
 */
public interface EncryptorProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * @param properties the encryptor's {@code props} as text, secrets in their places
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  Encryptor create(Map<String, String> properties);
}
