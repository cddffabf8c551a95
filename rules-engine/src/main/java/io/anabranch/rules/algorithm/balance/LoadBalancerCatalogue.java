package io.anabranch.rules.algorithm.balance;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Makes the load balancers of plug-ins from their {@code type} and {@code props}. */
public final class LoadBalancerCatalogue {

  private final TypeCatalogue<LoadBalancer> types;

  /**
   * @param builtIn types that are none of these, in upper snake case
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public LoadBalancerCatalogue(Set<String> builtIn, Collection<LoadBalancerProvider> providers) {
    types = new TypeCatalogue<>("load balancer", builtIn);
    for (LoadBalancerProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  /** Of plug-ins, upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  public LoadBalancer balancer(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  private static LoadBalancer provided(
      PlugInGuard guard, LoadBalancerProvider provider, Map<String, String> properties) {
    LoadBalancer plugIn = guard.made(() -> provider.create(properties));
    return (group, replicas) -> {
      int chosen = guard.asked(() -> plugIn.choose(group, replicas));
      if (chosen < 0 || chosen >= replicas.size()) {
        throw guard.refused(
            "it gave the position " + chosen + " of " + replicas.size() + " replicas");
      }
      return chosen;
    };
  }
}
