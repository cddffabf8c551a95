package io.anabranch.rules.listener;

import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Makes statement listeners from their {@code type} and {@code props}; all are plug-ins'. */
public final class ListenerCatalogue {

  private final TypeCatalogue<FinishedStatementListener> types =
      new TypeCatalogue<>("statement listener");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type
   */
  public ListenerCatalogue(Collection<FinishedStatementListenerProvider> providers) {
    for (FinishedStatementListenerProvider provider : providers) {
      types.provided(
          provider::type, (guard, properties) -> guard.made(() -> provider.create(properties)));
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  public FinishedStatementListener listener(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }
}
