package io.anabranch.rules.listener;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of statement listeners that configurations name.
 */
public interface FinishedStatementListenerProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * Asked with each reading of a configuration, also of one that does not come into force: opens
   * nothing. What is opened belongs into the first {@link FinishedStatementListener#finished}.
   *
   * @param properties the listener's {@code props} as text, secrets in their places
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  FinishedStatementListener create(Map<String, String> properties);
}
