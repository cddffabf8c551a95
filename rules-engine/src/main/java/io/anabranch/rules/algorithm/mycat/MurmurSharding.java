package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code PARTITION_BY_MURMUR_HASH}: a ring of virtual buckets; a value belongs to the first bucket
 * from its hash on.
 *
 * <p>Mycat names the buckets with one growing text: {@code SHARD-0-NODE-0}, {@code
 * SHARD-0-NODE-0-NODE-1} and so on. So does this, else rows would not be where they lie.
 */
final class MurmurSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_MURMUR_HASH";

  /** The names of one node's buckets take the square of their number to hash. */
  private static final int MAX_BUCKETS_OF_NODE = 20_000;

  private static final int MAX_BUCKETS = 4_000_000;

  private final int seed;
  private final int count;

  /** Sorted; beside each its node. */
  private final int[] places;

  private final int[] nodes;

  private MurmurSharding(int seed, int count, SortedMap<Integer, Integer> ring) {
    this.seed = seed;
    this.count = count;
    this.places = ring.keySet().stream().mapToInt(Integer::intValue).toArray();
    this.nodes = ring.values().stream().mapToInt(Integer::intValue).toArray();
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    int seed = properties.integer("seed", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
    int count = properties.count("count");
    int times = properties.integer("virtual-bucket-times", 160, 1, MAX_BUCKETS_OF_NODE);
    Map<Integer, Integer> weights = weights(properties, count);
    long buckets = 0;
    for (int node = 0; node < count; node++) {
      long own = (long) times * weights.getOrDefault(node, 1);
      buckets += own;
      if (own > MAX_BUCKETS_OF_NODE || buckets > MAX_BUCKETS) {
        properties.problem(
            "virtual-bucket-times",
            "gives more than " + MAX_BUCKETS_OF_NODE + " buckets of a node, or " + MAX_BUCKETS);
        break;
      }
    }
    properties.check();
    return new MurmurSharding(seed, count, ring(seed, count, times, weights));
  }

  /** Weights below 1 count as 1, as they do there. */
  private static Map<Integer, Integer> weights(AlgorithmProperties properties, int count) {
    var weights = new HashMap<Integer, Integer>();
    if (!properties.isPresent("weights")) {
      return weights;
    }
    Mappings.read(properties, "weights")
        .forEach(
            (node, weight) -> {
              try {
                int number = Integer.parseInt(node);
                if (number >= 0 && number < count) {
                  weights.put(number, Math.max(1, weight));
                  return;
                }
              } catch (NumberFormatException none) {
                // told below
              }
              properties.problem("weights", "`" + node + "` is no node from 0 to " + (count - 1));
            });
    return weights;
  }

  private static SortedMap<Integer, Integer> ring(
      int seed, int count, int times, Map<Integer, Integer> weights) {
    var ring = new TreeMap<Integer, Integer>();
    for (int node = 0; node < count; node++) {
      var name = new StringBuilder("SHARD-").append(node);
      int buckets = times * weights.getOrDefault(node, 1);
      for (int bucket = 0; bucket < buckets; bucket++) {
        ring.put(Murmur3.hash(name.append("-NODE-").append(bucket), seed), node);
      }
    }
    return ring;
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
    int found = Arrays.binarySearch(places, Murmur3.hash(KeyText.of(value, TYPE), seed));
    int place = found >= 0 ? found : -found - 1;
    return targets.indexOfSuffix(nodes[place == nodes.length ? 0 : place]);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return Covered.byNumbers(this, targets, range, count);
  }
}
