package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.SaltedDigest;
import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Makes maskers from their {@code type} and {@code props}: built-ins and providers'. */
public final class MaskerCatalogue {

  private final TypeCatalogue<Masker> types = new TypeCatalogue<>("masker");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public MaskerCatalogue(Collection<MaskerProvider> providers) {
    types.builtIn("MD5", properties -> new SaltedDigest("MD5", properties)::of);
    types.builtIn("KEEP_FIRST_N_LAST_M", Covers::keepFirstLast);
    types.builtIn("KEEP_FROM_X_TO_Y", Covers::keepFromTo);
    types.builtIn("MASK_FIRST_N_LAST_M", Covers::maskFirstLast);
    types.builtIn("MASK_FROM_X_TO_Y", Covers::maskFromTo);
    types.builtIn("MASK_BEFORE_SPECIAL_CHARS", Covers::maskBefore);
    types.builtIn("MASK_AFTER_SPECIAL_CHARS", Covers::maskAfter);
    types.builtIn("PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::personal);
    types.builtIn("MILITARY_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::military);
    types.builtIn("LANDLINE_NUMBER_RANDOM_REPLACE", Replacements::landline);
    types.builtIn("TELEPHONE_RANDOM_REPLACE", Replacements::telephone);
    types.builtIn("UNIFIED_CREDIT_CODE_RANDOM_REPLACE", Replacements::creditCode);
    types.builtIn("GENERIC_TABLE_RANDOM_REPLACE", Replacements::generic);
    for (MaskerProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong,
   *     by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public Masker masker(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  private static Masker provided(
      PlugInGuard guard, MaskerProvider provider, Map<String, String> properties) {
    Masker plugIn = guard.made(() -> provider.create(properties));
    return value -> guard.asked(() -> plugIn.mask(value));
  }
}
