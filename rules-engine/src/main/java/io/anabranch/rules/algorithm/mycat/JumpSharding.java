package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code PARTITION_BY_JUMP_CONSISTENT_HASH}: Lamping's and Veach's jump hash over a hash of the
 * text. Mycat hashes all of it with 32 bits; dble, whose name is {@code jumpstringhash}, a slice
 * with 64.
 *
 * @see <a href="https://arxiv.org/abs/1406.2294">the algorithm</a>
 */
final class JumpSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_JUMP_CONSISTENT_HASH";

  private static final long FACTOR = 2862933555777941757L;
  private static final double JUMP = 1L << 31;

  private final int count;

  /** Null: as Mycat does. */
  private final @Nullable Slice slice;

  private JumpSharding(int count, @Nullable Slice slice) {
    this.count = count;
    this.slice = slice;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    boolean isSliced = properties.isPresent("hash-slice");
    int count = properties.count("total-buckets");
    Slice slice = isSliced ? Slice.read(properties, "hash-slice") : null;
    properties.check();
    return new JumpSharding(count, slice);
  }

  static int bucket(long key, int count) {
    long state = key;
    long bucket = -1;
    long next = 0;
    while (next < count) {
      bucket = next;
      state = state * FACTOR + 1;
      next = (long) ((bucket + 1) * (JUMP / ((state >>> 33) + 1)));
    }
    return (int) bucket;
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
    String text = KeyText.of(value, TYPE);
    return targets.indexOfSuffix(bucket(slice == null ? text.hashCode() : slice.hash(text), count));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return Covered.byNumbers(this, targets, range, count);
  }
}
