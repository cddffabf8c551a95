package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.SaltedDigest;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Makes maskers from their {@code type} and {@code props}. */
public final class Maskers {

  private static final Map<String, Function<AlgorithmProperties, Masker>> TYPES =
      Map.ofEntries(
          Map.entry("MD5", properties -> new SaltedDigest("MD5", properties)::of),
          Map.entry("KEEP_FIRST_N_LAST_M", Covers::keepFirstLast),
          Map.entry("KEEP_FROM_X_TO_Y", Covers::keepFromTo),
          Map.entry("MASK_FIRST_N_LAST_M", Covers::maskFirstLast),
          Map.entry("MASK_FROM_X_TO_Y", Covers::maskFromTo),
          Map.entry("MASK_BEFORE_SPECIAL_CHARS", Covers::maskBefore),
          Map.entry("MASK_AFTER_SPECIAL_CHARS", Covers::maskAfter),
          Map.entry("PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::personal),
          Map.entry("MILITARY_IDENTITY_NUMBER_RANDOM_REPLACE", Replacements::military),
          Map.entry("LANDLINE_NUMBER_RANDOM_REPLACE", Replacements::landline),
          Map.entry("TELEPHONE_RANDOM_REPLACE", Replacements::telephone),
          Map.entry("UNIFIED_CREDIT_CODE_RANDOM_REPLACE", Replacements::creditCode),
          Map.entry("GENERIC_TABLE_RANDOM_REPLACE", Replacements::generic));

  private Maskers() {}

  /** Upper snake case. */
  public static Set<String> types() {
    return TYPES.keySet();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public static Masker of(String type, Map<String, String> properties) {
    Function<AlgorithmProperties, Masker> maker = TYPES.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(new AlgorithmProperties(properties));
  }
}
