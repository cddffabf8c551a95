package io.anabranch.rules.account;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Makes account stores from their {@code type} and {@code props}; there are none but plug-ins'. */
public final class AccountStores {

  private final TypeCatalogue<AccountStore> types = new TypeCatalogue<>("account store");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type
   */
  public AccountStores(Collection<AccountStoreProvider> providers) {
    for (AccountStoreProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @return what its plug-in throws, or that it gives nothing, it tells as AB2092
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  public AccountStore store(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  private static AccountStore provided(
      PlugInGuard guard, AccountStoreProvider provider, Map<String, String> properties) {
    AccountStore plugIn = guard.made(() -> provider.create(properties));
    return (name, address, password) -> {
      AccountStore.Answer answer;
      try {
        answer = plugIn.ask(name, address, password);
      } catch (Throwable failure) {
        throw guard.failed(failure);
      }
      return guard.asked(() -> answer);
    };
  }
}
