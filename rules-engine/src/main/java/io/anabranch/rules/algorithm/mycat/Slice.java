package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;

/**
 * The part of a text that is hashed: {@code 2} is the first two characters, {@code 1:3} those from
 * the second to the third, {@code -4:} the last four, {@code :-1} all but the last.
 *
 * @param start from the end if negative
 * @param end from the end if negative or 0
 */
record Slice(int start, int end) {

  private static final Slice FIRST_EIGHT = new Slice(0, 8);

  /** As the property says, else the first eight characters. */
  static Slice read(AlgorithmProperties properties, String property) {
    String text = properties.text(property, "8");
    int colon = text.indexOf(':');
    try {
      if (colon < 0) {
        int number = Integer.parseInt(text.strip());
        return number >= 0 ? new Slice(0, number) : new Slice(number, 0);
      }
      return new Slice(number(text.substring(0, colon)), number(text.substring(colon + 1)));
    } catch (NumberFormatException none) {
      properties.problem(property, "`" + text + "` has not the form start:end");
      return FIRST_EIGHT;
    }
  }

  private static int number(String text) {
    return text.isBlank() ? 0 : Integer.parseInt(text.strip());
  }

  /** Java's hash code, with 64 bits. */
  long hash(String text) {
    int from = Math.max(0, start >= 0 ? start : text.length() + start);
    int to = Math.min(text.length(), end > 0 ? end : text.length() + end);
    long hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash;
  }
}
