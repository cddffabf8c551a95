package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names that stand for masked columns in one statement: the columns' own, and those that it gives
 * them. Not thread-safe.
 */
final class MaskedNames {

  private final Map<String, Masker> maskers;

  MaskedNames(Map<String, Masker> columns) {
    this.maskers = new HashMap<>(columns);
  }

  boolean has(String name) {
    return maskers.containsKey(name.toLowerCase(Locale.ROOT));
  }

  /** A column is called otherwise; true if that is new. */
  boolean alias(String column, String alias) {
    Masker masker = maskers.get(column.toLowerCase(Locale.ROOT));
    return masker != null && maskers.putIfAbsent(alias.toLowerCase(Locale.ROOT), masker) == null;
  }

  /** In lower case, with the maskers of their columns. */
  Map<String, Masker> all() {
    return Map.copyOf(maskers);
  }
}
