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

  private static final int ASCII = 0x80;

  private final Map<String, Masker> maskers;

  MaskedNames(Map<String, Masker> columns) {
    this.maskers = new HashMap<>(columns);
  }

  boolean has(String name) {
    return maskers.containsKey(name.toLowerCase(Locale.ROOT));
  }

  /** Whether a server's collation may take the name for one that it is not letter by letter. */
  boolean looksLike(String name) {
    String stripped = name.stripTrailing();
    return !has(name) && maskers.keySet().stream().anyMatch(known -> isAlike(stripped, known));
  }

  private static boolean isAlike(String name, String known) {
    int[] letters = name.toLowerCase(Locale.ROOT).codePoints().toArray();
    int[] others = known.codePoints().toArray();
    boolean alike = letters.length == others.length;
    for (int i = 0; i < letters.length && alike; i++) {
      alike = letters[i] == others[i] || isFoldable(letters[i]) || isFoldable(others[i]);
    }
    return alike;
  }

  private static boolean isFoldable(int letter) {
    return letter >= ASCII && !Character.isIdeographic(letter);
  }

  /** A column is called otherwise; true if that is new. */
  boolean alias(String column, String alias) {
    Masker masker = maskers.get(column.toLowerCase(Locale.ROOT));
    return masker != null && maskers.putIfAbsent(alias.toLowerCase(Locale.ROOT), masker) == null;
  }

  Map<String, Masker> all() {
    return Map.copyOf(maskers);
  }
}
