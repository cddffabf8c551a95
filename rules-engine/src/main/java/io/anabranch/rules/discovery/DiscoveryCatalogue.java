package io.anabranch.rules.discovery;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes discoveries of plug-ins from their {@code type} and {@code props}. */
public final class DiscoveryCatalogue {

  private final TypeCatalogue<PrimaryDiscovery> types;

  /**
   * @param builtIn types that are none of these, in upper snake case
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public DiscoveryCatalogue(Set<String> builtIn, Collection<PrimaryDiscoveryProvider> providers) {
    types = new TypeCatalogue<>("discovery", builtIn);
    for (PrimaryDiscoveryProvider provider : providers) {
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
  public PrimaryDiscovery discovery(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  private static PrimaryDiscovery provided(
      PlugInGuard guard, PrimaryDiscoveryProvider provider, Map<String, String> properties) {
    PrimaryDiscovery plugIn = guard.made(() -> provider.create(properties));
    return (group, members, current) -> {
      Optional<String> named = guard.asked(() -> plugIn.primary(group, members, current));
      named.ifPresent(
          name -> {
            if (members.stream().noneMatch(member -> member.name().equals(name))) {
              throw guard.refused("it named '" + name + "', which is no member");
            }
          });
      return named;
    };
  }
}
