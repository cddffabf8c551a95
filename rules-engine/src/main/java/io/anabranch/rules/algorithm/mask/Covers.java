package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.AlgorithmProperties;

/** Characters that are covered by another one. */
final class Covers {

  private static final int MOST = 1 << 20;

  private Covers() {}

  /** All but the first and the last ones; shorter values stay as they are. */
  static Masker keepFirstLast(AlgorithmProperties properties) {
    int first = number(properties, "first-n");
    int last = number(properties, "last-m");
    char cover = cover(properties);
    properties.check();
    return value ->
        value.length() < first + last ? value : covered(value, first, value.length() - last, cover);
  }

  static Masker keepFromTo(AlgorithmProperties properties) {
    int from = number(properties, "from-x");
    int to = number(properties, "to-y");
    char cover = cover(properties);
    ordered(properties, from, to);
    properties.check();
    return value -> covered(covered(value, 0, from, cover), to + 1, value.length(), cover);
  }

  static Masker maskFirstLast(AlgorithmProperties properties) {
    int first = number(properties, "first-n");
    int last = number(properties, "last-m");
    char cover = cover(properties);
    properties.check();
    return value ->
        covered(covered(value, 0, first, cover), value.length() - last, value.length(), cover);
  }

  static Masker maskFromTo(AlgorithmProperties properties) {
    int from = number(properties, "from-x");
    int to = number(properties, "to-y");
    char cover = cover(properties);
    ordered(properties, from, to);
    properties.check();
    return value -> covered(value, from, to + 1, cover);
  }

  /** Values without the special characters stay as they are, here and below. */
  static Masker maskBefore(AlgorithmProperties properties) {
    String special = special(properties);
    char cover = cover(properties);
    properties.check();
    return value -> covered(value, 0, value.indexOf(special), cover);
  }

  static Masker maskAfter(AlgorithmProperties properties) {
    String special = special(properties);
    char cover = cover(properties);
    properties.check();
    return value -> {
      int found = value.indexOf(special);
      return found < 0 ? value : covered(value, found + special.length(), value.length(), cover);
    };
  }

  private static String covered(String value, int from, int to, char cover) {
    char[] characters = value.toCharArray();
    for (int i = Math.max(0, from); i < Math.min(to, characters.length); i++) {
      characters[i] = cover;
    }
    return new String(characters);
  }

  private static int number(AlgorithmProperties properties, String name) {
    if (!properties.isPresent(name)) {
      properties.problem(name, "is required");
      return 0;
    }
    return properties.integer(name, 0, 0, MOST);
  }

  private static void ordered(AlgorithmProperties properties, int from, int to) {
    if (properties.isValid() && from > to) {
      properties.problem("to-y", "must not be less than from-x");
    }
  }

  private static char cover(AlgorithmProperties properties) {
    String text = properties.text("replace-char", "");
    if (text.length() != 1) {
      properties.problem("replace-char", "must be one character");
      return '*';
    }
    return text.charAt(0);
  }

  private static String special(AlgorithmProperties properties) {
    String text = properties.text("special-chars", "");
    if (text.isEmpty()) {
      properties.problem("special-chars", "is required");
    }
    return text;
  }
}
