package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.util.BitSet;

/** Targets of ranges. */
final class Covered {

  private Covered() {}

  static BitSet all(TargetSet targets) {
    var result = new BitSet(targets.size());
    result.set(0, targets.size());
    return result;
  }

  /** Those of each number of a short range; else all. */
  static BitSet byNumbers(ShardingAlgorithm algorithm, TargetSet targets, Range range, int most) {
    BigInteger lower = WholeNumber.ofBound(range.lower());
    BigInteger upper = WholeNumber.ofBound(range.upper());
    if (lower == null
        || upper == null
        || lower.bitLength() >= Long.SIZE
        || upper.subtract(lower).compareTo(BigInteger.valueOf(most)) >= 0) {
      return all(targets);
    }
    var result = new BitSet(targets.size());
    int count = upper.subtract(lower).intValue();
    for (int i = 0; i <= count; i++) {
      BigInteger number = lower.add(BigInteger.valueOf(i));
      if (number.bitLength() < Long.SIZE) {
        add(result, algorithm.precise(targets, new SqlValue.Int(number.longValue())));
      }
    }
    return result;
  }

  static void add(BitSet result, int target) {
    if (target != ShardingAlgorithm.NO_TARGET) {
      result.set(target);
    }
  }
}
