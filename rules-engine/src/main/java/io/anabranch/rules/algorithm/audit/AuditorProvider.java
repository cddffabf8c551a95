package io.anabranch.rules.algorithm.audit;

import java.util.Map;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * adds types of auditors that configurations name.
 */
public interface AuditorProvider {

  /** Upper snake case, compared without regard to case. */
  String type();

  /**
   * @param properties the auditor's {@code props} as text, secrets in their places
   * @return what it throws ends the statement that is planned; the message is told nobody
   * @throws IllegalArgumentException whose message names the property and the cure, never its value
   */
  Auditor create(Map<String, String> properties);
}
