package io.anabranch.rules.algorithm.shadow;

/**
 * Whether a value of a column makes a statement one of a load test. Immutable or thread-safe: it is
 * asked on event loops, for each execution, and must not block.
 */
@FunctionalInterface
public interface ShadowMatcher {

  /**
   * @param value that a statement writes into the column or compares it with, as text: numbers
   *     without exponents, days as {@code 2024-02-29}, moments as {@code 2024-02-29 10:00:00}. NULL
   *     and binary values match nothing, and are not asked about
   */
  boolean matches(String value);
}
