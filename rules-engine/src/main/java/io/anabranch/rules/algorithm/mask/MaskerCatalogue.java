package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.SaltedDigest;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes maskers from their {@code type} and {@code props}: built-ins and providers'. */
public final class MaskerCatalogue {

  private final Map<String, Function<Map<String, String>, Masker>> types = new TreeMap<>();

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public MaskerCatalogue(Collection<MaskerProvider> providers) {
    builtIn("MD5", properties -> new SaltedDigest("MD5", properties)::of);
    builtIn("KEEP_FIRST_N_LAST_M", Covers::keepFirstLast);
    builtIn("KEEP_FROM_X_TO_Y", Covers::keepFromTo);
    builtIn("MASK_FIRST_N_LAST_M", Covers::maskFirstLast);
    builtIn("MASK_FROM_X_TO_Y", Covers::maskFromTo);
    builtIn("MASK_BEFORE_SPECIAL_CHARS", Covers::maskBefore);
    builtIn("MASK_AFTER_SPECIAL_CHARS", Covers::maskAfter);
    builtIn("PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::personal);
    builtIn("MILITARY_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::military);
    builtIn("LANDLINE_NUMBER_RANDOM_REPLACE", Replacements::landline);
    builtIn("TELEPHONE_RANDOM_REPLACE", Replacements::telephone);
    builtIn("UNIFIED_CREDIT_CODE_RANDOM_REPLACE", Replacements::creditCode);
    builtIn("GENERIC_TABLE_RANDOM_REPLACE", Replacements::generic);
    for (MaskerProvider provider : providers) {
      String type = provider.type().toUpperCase(Locale.ROOT);
      if (types.put(type, properties -> provided(type, provider.create(properties))) != null) {
        throw new IllegalArgumentException("two maskers have the type " + type);
      }
    }
  }

  private void builtIn(String type, Function<AlgorithmProperties, Masker> maker) {
    types.put(type, properties -> maker.apply(new AlgorithmProperties(properties)));
  }

  /** Upper snake case. */
  public Set<String> types() {
    return Collections.unmodifiableSet(types.keySet());
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong,
   *     by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public Masker masker(String type, Map<String, String> properties) {
    Function<Map<String, String>, Masker> maker = types.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(properties);
  }

  /** What fails ends the statement: its message may have the value in it, and is not told. */
  private static Masker provided(String type, Masker masker) {
    return value -> {
      @Nullable String masked;
      try {
        masked = masker.mask(value);
      } catch (RuntimeException | LinkageError | StackOverflowError failure) {
        throw ErrorCatalogue.PLUG_IN_FAILED.refuse("masker", type, failure.getClass().getName());
      }
      if (masked == null) {
        throw ErrorCatalogue.PLUG_IN_FAILED.refuse("masker", type, "no value");
      }
      return masked;
    };
  }
}
