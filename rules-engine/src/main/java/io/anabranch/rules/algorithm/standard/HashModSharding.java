package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.DateTimeText;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.BitSet;

/**
 * {@code HASH_MOD}: Java's hash code, without its sign, modulo the count. An integer hashes as
 * {@code Integer} if it fits, else as {@code Long}, else as {@code BigInteger}, a fixed number with
 * a fraction as the {@code BigDecimal} that its column stores, with all of its digits.
 */
final class HashModSharding implements AutomaticAlgorithm {

  static final String TYPE = "HASH_MOD";

  private final int count;

  private HashModSharding(int count) {
    this.count = count;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    int count = properties.count("sharding-count");
    // On or off, integers of any column type are typed by their value here, so both are the same.
    properties.flag("normalize-numeric-int-range", false);
    properties.check();
    return new HashModSharding(count);
  }

  @Override
  public int targetCount() {
    return count;
  }

  @Override
  public boolean needsEveryTarget() {
    return true;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    long hash = hash(value);
    return targets.indexOfSuffix((int) (Math.abs(hash) % count));
  }

  private static long hash(SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) ->
          number == (int) number ? (int) number : Long.hashCode(number);
      case SqlValue.Text(String text) -> text.hashCode();
      case SqlValue.Decimal(BigDecimal number) when isFraction(number) -> number.hashCode();
      case SqlValue.Decimal(BigDecimal number) -> ofWhole(number, value);
      case SqlValue.Floating(double number) when Double.isFinite(number) ->
          ofWhole(new BigDecimal(number), value);
      case SqlValue.Date(var date) -> date.toString().hashCode();
      case SqlValue.DateTime(var time) -> DateTimeText.of(time).hashCode();
      case SqlValue.Null _, SqlValue.Unknown _, SqlValue.Bytes _, SqlValue.Floating _ ->
          throw WholeNumber.refuse(TYPE, value, "it takes integers and strings");
    };
  }

  private static boolean isFraction(BigDecimal number) {
    return number.signum() != 0 && number.stripTrailingZeros().scale() > 0;
  }

  private static long ofWhole(BigDecimal number, SqlValue value) {
    if (isFraction(number)) {
      throw WholeNumber.refuse(TYPE, value, "it takes integers and strings");
    }
    BigInteger whole = number.toBigInteger();
    return whole.bitLength() < Long.SIZE
        ? hash(new SqlValue.Int(whole.longValue()))
        : whole.hashCode();
  }

  /** A few whole numbers are where each of them is; anything else may be anywhere. */
  @Override
  public BitSet range(TargetSet targets, Range range) {
    BitSet result = new BitSet(targets.size());
    if (!(range.lower() instanceof SqlValue.Int(long first))
        || !(range.upper() instanceof SqlValue.Int(long last))
        || (first <= last && Long.compareUnsigned(last - first, count - 1L) >= 0)) {
      result.set(0, targets.size());
      return result;
    }
    for (long i = 0; first <= last && i <= last - first; i++) {
      int target = precise(targets, new SqlValue.Int(first + i));
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }
}
