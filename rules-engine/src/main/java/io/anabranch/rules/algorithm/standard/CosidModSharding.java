package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** {@code COSID_MOD}: the name of a prefix and the remainder, never negative, of a number. */
final class CosidModSharding implements ShardingAlgorithm, TargetReview {

  static final String TYPE = "COSID_MOD";

  private final List<String> names;
  private final Remainders remainders;

  private CosidModSharding(List<String> names) {
    this.names = names;
    this.remainders = new Remainders(names.size());
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    int count = properties.count("mod");
    String prefix = properties.requiredText("logic-name-prefix");
    properties.check();
    return new CosidModSharding(IntStream.range(0, count).mapToObj(i -> prefix + i).toList());
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return target(targets, remainders.of(WholeNumber.of(value, TYPE)));
  }

  private int target(TargetSet targets, int remainder) {
    return targets.indexOf(names.get(remainder));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return remainders.range(targets, range, remainder -> target(targets, remainder));
  }

  @Override
  public List<Finding> review(String column, TargetSet targets) {
    List<String> missing = names.stream().filter(n -> targets.indexOf(n) == NO_TARGET).toList();
    return missing.isEmpty()
        ? List.of()
        : List.of(
            new Finding(
                true,
                "there is no node " + NearestName.shortened(missing),
                "logic-name-prefix is what the nodes' names begin with"));
  }
}
