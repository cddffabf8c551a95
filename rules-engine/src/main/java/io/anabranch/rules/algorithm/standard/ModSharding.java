package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;

/**
 * {@code MOD}: the remainder, never negative, of a number or a string of digits. With offsets the
 * value's text is cut before it is taken as a number.
 */
final class ModSharding implements AutomaticAlgorithm {

  static final String TYPE = "MOD";

  private final int count;
  private final Remainders remainders;
  private final int startOffset;
  private final int stopOffset;
  private final int suffixWidth;

  private ModSharding(int count, int startOffset, int stopOffset, int suffixWidth) {
    this.count = count;
    this.remainders = new Remainders(count);
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
          : remainders.of(WholeNumber.of(value, TYPE));
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
    return remainders.of(WholeNumber.of(new SqlValue.Text(cut), TYPE));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    if (startOffset > 0 || stopOffset > 0) {
      var all = new BitSet(targets.size());
      all.set(0, targets.size());
      return all;
    }
    return remainders.range(targets, range, targets::indexOfSuffix);
  }
}
