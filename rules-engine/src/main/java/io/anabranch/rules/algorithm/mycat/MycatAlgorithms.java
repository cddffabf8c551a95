package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import java.util.Map;
import java.util.function.Function;

/**
 * The algorithms of this room by the names of Mycat's classes, in upper snake case. What dble calls
 * them is in {@code docs/configuration.md}.
 */
public final class MycatAlgorithms {

  private static final Map<String, Function<AlgorithmProperties, ShardingAlgorithm>> TYPES =
      Map.of(
          ListSharding.TYPE, ListSharding::create,
          MurmurSharding.TYPE, MurmurSharding::create,
          JumpSharding.TYPE, JumpSharding::create,
          DaySharding.TYPE, DaySharding::create,
          MonthSharding.TYPE, MonthSharding::create,
          PrefixSharding.TYPE, PrefixSharding::create,
          SliceSharding.TYPE, SliceSharding::create,
          LongSharding.TYPE, LongSharding::create);

  private MycatAlgorithms() {}

  /** Makers by type. */
  public static Map<String, Function<AlgorithmProperties, ShardingAlgorithm>> types() {
    return TYPES;
  }
}
