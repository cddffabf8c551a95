package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;

/**
 * {@code PARTITION_BY_STRING}, dble's {@code stringhash}: the hash of a part of the text, cut into
 * segments.
 */
final class SliceSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_STRING";

  private final Slice slice;
  private final Segments segments;

  private SliceSharding(Slice slice, Segments segments) {
    this.slice = slice;
    this.segments = segments;
  }

  /** {@code hash-length} is Mycat's older name of {@code hash-slice}. */
  static ShardingAlgorithm create(AlgorithmProperties properties) {
    boolean isOld = properties.isPresent("hash-length");
    if (isOld && properties.isPresent("hash-slice")) {
      properties.problem("hash-length", "is there beside hash-slice; leave it out");
    }
    Slice slice = Slice.read(properties, isOld ? "hash-length" : "hash-slice");
    Segments segments = Segments.read(properties);
    properties.check();
    return new SliceSharding(slice, segments);
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
    return targets.indexOfSuffix(segments.node(slice.hash(KeyText.of(value, TYPE))));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return Covered.byNumbers(this, targets, range, segments.count());
  }
}
