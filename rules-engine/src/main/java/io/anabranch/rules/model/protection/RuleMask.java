package io.anabranch.rules.model.protection;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Some rules of a list, by their positions. Immutable. */
public final class RuleMask {

  /** None of them. */
  public static final RuleMask NONE = new RuleMask(new long[0]);

  private final long[] bits;

  private RuleMask(long[] bits) {
    this.bits = bits;
  }

  /**
   * @param size of the list
   * @param isIn asked once for each position, in order
   */
  public static RuleMask of(int size, IntPredicate isIn) {
    long[] bits = new long[(size + Long.SIZE - 1) / Long.SIZE];
    boolean isEmpty = true;
    for (int i = 0; i < size; i++) {
      if (isIn.test(i)) {
        bits[i / Long.SIZE] |= 1L << i;
        isEmpty = false;
      }
    }
    return isEmpty ? NONE : new RuleMask(bits);
  }

  public boolean isEmpty() {
    return bits.length == 0;
  }

  /** Those that one of them has, or both. */
  public RuleMask or(RuleMask other) {
    if (other.isEmpty() || equals(other)) {
      return this;
    }
    long[] both = Arrays.copyOf(bits, Math.max(bits.length, other.bits.length));
    for (int word = 0; word < other.bits.length; word++) {
      both[word] |= other.bits[word];
    }
    return new RuleMask(both);
  }

  /**
   * The first position from {@code from} on that both have.
   *
   * @return -1 if there is none
   */
  public int next(RuleMask other, int from) {
    int words = Math.min(bits.length, other.bits.length);
    for (int word = from / Long.SIZE; word < words; word++) {
      long both = bits[word] & other.bits[word];
      if (word == from / Long.SIZE) {
        both &= -1L << from;
      }
      if (both != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(both);
      }
    }
    return -1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RuleMask that && Arrays.equals(bits, that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }
}
