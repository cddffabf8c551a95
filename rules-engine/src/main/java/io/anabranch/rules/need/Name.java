package io.anabranch.rules.need;

import org.jspecify.annotations.Nullable;

/**
 * A name that may be qualified: {@code t}, {@code shop.t}, {@code .t}.
 *
 * @param behind the position behind it
 */
record Name(@Nullable String schema, String name, int behind) {

  /**
   * @throws io.anabranch.rules.error.RefusedException if no such name stands at {@code i}
   */
  static Name at(Words words, int i) {
    int first = words.isPunctuation(i, '.') ? i + 1 : i;
    if (!words.isName(first)) {
      throw Words.doubt("what is no name in the place of a table");
    }
    boolean isQualified = first == i && words.isPunctuation(i + 1, '.');
    if (!isQualified) {
      return new Name(null, words.name(first), first + 1);
    }
    if (!words.isName(i + 2) || words.isPunctuation(i + 3, '.')) {
      throw Words.doubt("a name of three parts in the place of a table");
    }
    return new Name(words.name(i), words.name(i + 2), i + 3);
  }
}
