package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * Whole numbers by their remainder, never negative.
 *
 * @param count of remainders
 */
record Remainders(int count) {

  int of(BigInteger number) {
    return number.mod(BigInteger.valueOf(count)).intValue();
  }

  /**
   * The targets of a range: all, where it is open or has every remainder.
   *
   * @param target of a remainder
   */
  BitSet range(TargetSet targets, Range range, IntUnaryOperator target) {
    BigInteger lower = WholeNumber.ofBound(range.lower());
    BigInteger upper = WholeNumber.ofBound(range.upper());
    var result = new BitSet(targets.size());
    if (lower == null
        || upper == null
        || upper.subtract(lower).compareTo(BigInteger.valueOf(count - 1L)) >= 0) {
      result.set(0, targets.size());
      return result;
    }
    for (BigInteger i = lower; i.compareTo(upper) <= 0; i = i.add(BigInteger.ONE)) {
      int found = target.applyAsInt(of(i));
      if (found != ShardingAlgorithm.NO_TARGET) {
        result.set(found);
      }
    }
    return result;
  }
}
