package io.anabranch.rules.account;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of account stores that {@code authority.accountStore} names.
 */
public interface AccountStoreProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * Must not ask anybody: configurations are also read to be looked at only.
   *
   * @param properties the store's {@code props} as text, secrets in their places
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  AccountStore create(Map<String, String> properties);
}
