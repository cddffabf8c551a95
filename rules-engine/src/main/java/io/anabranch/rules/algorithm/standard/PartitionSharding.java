package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code VOLUME_RANGE} and {@code BOUNDARY_RANGE}: sorted bounds cut the numbers into partitions; a
 * bound belongs to the partition above it.
 */
final class PartitionSharding implements AutomaticAlgorithm {

  static final String VOLUME = "VOLUME_RANGE";
  static final String BOUNDARY = "BOUNDARY_RANGE";

  private final String type;
  private final long[] bounds;

  private PartitionSharding(String type, long[] bounds) {
    this.type = type;
    this.bounds = bounds;
  }

  /** Partition 0 is below {@code range-lower}, the last one from {@code range-upper} on. */
  static ShardingAlgorithm createVolume(AlgorithmProperties properties) {
    long lower = properties.requiredLong("range-lower");
    long upper = properties.requiredLong("range-upper");
    long volume = properties.requiredLong("sharding-volume");
    long inner = 0;
    if (properties.isValid()) {
      if (upper <= lower) {
        properties.problem("range-upper", "must be greater than range-lower");
      }
      if (volume <= 0) {
        properties.problem("sharding-volume", "must be positive");
      }
      if (properties.isValid()) {
        BigInteger width = BigInteger.valueOf(upper).subtract(BigInteger.valueOf(lower));
        BigInteger size = BigInteger.valueOf(volume);
        inner = WholeNumber.clamp(width.add(size).subtract(BigInteger.ONE).divide(size));
        if (inner > AlgorithmProperties.MAX_TARGETS) {
          properties.problem(
              "sharding-volume", "gives more than " + AlgorithmProperties.MAX_TARGETS + " targets");
        }
      }
    }
    properties.check();
    long[] bounds = new long[(int) inner + 1];
    for (int i = 0; i < inner; i++) {
      bounds[i] = lower + i * volume;
    }
    bounds[(int) inner] = upper;
    return new PartitionSharding(VOLUME, bounds);
  }

  static ShardingAlgorithm createBoundary(AlgorithmProperties properties) {
    String list = properties.requiredText("sharding-ranges");
    long[] bounds = new long[0];
    if (properties.isValid()) {
      try {
        bounds =
            Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .mapToLong(Long::parseLong)
                .sorted()
                .distinct()
                .toArray();
        if (bounds.length == 0) {
          properties.problem("sharding-ranges", "needs at least one number");
        }
      } catch (NumberFormatException e) {
        properties.problem("sharding-ranges", "must be a comma list of integers");
      }
    }
    properties.check();
    return new PartitionSharding(BOUNDARY, bounds);
  }

  @Override
  public int targetCount() {
    return bounds.length + 1;
  }

  @Override
  public boolean needsEveryTarget() {
    return false;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return targets.indexOfSuffix(partition(WholeNumber.clamped(value, type)));
  }

  private int partition(long value) {
    int found = Arrays.binarySearch(bounds, value);
    return found >= 0 ? found + 1 : -found - 1;
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    int first = edge(range.lower(), 0);
    int last = edge(range.upper(), bounds.length);
    BitSet result = new BitSet(targets.size());
    for (int i = first; i <= last; i++) {
      int target = targets.indexOfSuffix(i);
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }

  private int edge(@Nullable SqlValue bound, int open) {
    BigInteger number = WholeNumber.ofBound(bound);
    return number == null ? open : partition(WholeNumber.clamp(number));
  }
}
