package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.util.BitSet;

/**
 * {@code MOD}: the remainder, never negative, of a number or a string of digits. With offsets the
 * value's text is cut before it is taken as a number.
 */
final class ModSharding implements AutomaticAlgorithm {

  static final String TYPE = "MOD";

  private final int count;
  private final int startOffset;
  private final int stopOffset;
  private final int suffixWidth;

  private ModSharding(int count, int startOffset, int stopOffset, int suffixWidth) {
    this.count = count;
    this.startOffset = startOffset;
    this.stopOffset = stopOffset;
    this.suffixWidth = suffixWidth;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    int count = properties.count("sharding-count");
    int start = properties.integer("start-offset", 0, 0, 64);
    int stop = properties.integer("stop-offset", 0, 0, 64);
    boolean zeroPadding = properties.flag("zero-padding", false);
    properties.check();
    int width = zeroPadding ? String.valueOf(count - 1).length() : 1;
    return new ModSharding(count, start, stop, width);
  }

  @Override
  public int targetCount() {
    return count;
  }

  @Override
  public int suffixWidth() {
    return suffixWidth;
  }

  @Override
  public boolean needsEveryTarget() {
    return true;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return targets.indexOfSuffix(number(value));
  }

  private int number(SqlValue value) {
    if (startOffset == 0 && stopOffset == 0) {
      return value instanceof SqlValue.Int(long number)
          ? Math.floorMod(number, count)
          : remainder(WholeNumber.of(value, TYPE));
    }
    String text =
        value instanceof SqlValue.Text(String string)
            ? string.stripTrailing()
            : WholeNumber.of(value, TYPE).toString();
    if (text.length() - stopOffset <= startOffset) {
      throw WholeNumber.refuse(
          TYPE, value, "it is shorter than start-offset and stop-offset together");
    }
    String cut = text.substring(startOffset, text.length() - stopOffset);
    return remainder(WholeNumber.of(new SqlValue.Text(cut), TYPE));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    BigInteger lower = WholeNumber.ofBound(range.lower());
    BigInteger upper = WholeNumber.ofBound(range.upper());
    BitSet result = new BitSet(targets.size());
    boolean cut = startOffset > 0 || stopOffset > 0;
    if (cut || lower == null || upper == null || isWide(lower, upper)) {
      result.set(0, targets.size());
      return result;
    }
    for (BigInteger i = lower; i.compareTo(upper) <= 0; i = i.add(BigInteger.ONE)) {
      int target = targets.indexOfSuffix(remainder(i));
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }

  private boolean isWide(BigInteger lower, BigInteger upper) {
    return upper.subtract(lower).compareTo(BigInteger.valueOf(count - 1L)) >= 0;
  }

  private int remainder(BigInteger number) {
    return number.mod(BigInteger.valueOf(count)).intValue();
  }
}
