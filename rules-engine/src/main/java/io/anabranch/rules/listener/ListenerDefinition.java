package io.anabranch.rules.listener;

import java.util.Map;

/**
 * A listener that a configuration names.
 *
 * @param name as configured
 * @param type in upper snake case
 * @param properties its {@code props}, secrets in their places
 * @param listener made of them
 */
public record ListenerDefinition(
    String name, String type, Map<String, String> properties, FinishedStatementListener listener) {

  public ListenerDefinition {
    properties = Map.copyOf(properties);
  }

  /** Whether another one says the same, so that its listener may go on. */
  public boolean says(ListenerDefinition other) {
    return name.equals(other.name)
        && type.equals(other.type)
        && properties.equals(other.properties);
  }

  /** Without the props. */
  @Override
  public String toString() {
    return name + " (" + type + ")";
  }
}
