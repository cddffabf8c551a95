package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.util.BitSet;

/** {@code PARTITION_BY_LONG}, dble's {@code hash}: the remainder of a number, cut into segments. */
final class LongSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_LONG";

  private final Segments segments;

  private LongSharding(Segments segments) {
    this.segments = segments;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    Segments segments = Segments.read(properties);
    properties.check();
    return new LongSharding(segments);
  }

  @Override
  public int targetCount() {
    return segments.count();
  }

  @Override
  public boolean needsEveryTarget() {
    return true;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    BigInteger number = WholeNumber.of(value, TYPE);
    // beyond 64 bits nothing has been placed: those proxies give an error
    return number.bitLength() < Long.SIZE
        ? targets.indexOfSuffix(segments.node(number.longValue()))
        : NO_TARGET;
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return Covered.byNumbers(this, targets, range, segments.length());
  }
}
