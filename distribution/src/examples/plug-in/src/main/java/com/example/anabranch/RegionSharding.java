package com.example.anabranch;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * {@code type: REGION}: rows lie by the first two letters of a text such as {@code de-4711}.
 *
 * <pre>
 * props: { region-de: 0, region-fr: 1, otherwise: 0 }
 * </pre>
 *
 * <p>The number is the suffix of the table or data source.
 */
public final class RegionSharding implements AlgorithmProvider {

  private static final String PREFIX = "region-";

  @Override
  public String type() {
    return "REGION";
  }

  @Override
  public PlacementAlgorithm create(Map<String, String> properties) {
    var given = new AlgorithmProperties(properties);
    var suffixes = new HashMap<String, Integer>();
    for (String name : given.names(PREFIX)) {
      suffixes.put(name.substring(PREFIX.length()), given.integer(name, 0, 0, 1000));
    }
    int otherwise = given.integer("otherwise", 0, 0, 1000);
    given.check();
    return new ByRegion(Map.copyOf(suffixes), otherwise);
  }

  private record ByRegion(Map<String, Integer> suffixes, int otherwise)
      implements ShardingAlgorithm {

    @Override
    public int precise(TargetSet targets, SqlValue value) {
      // what MySQL takes for equal must lie in one place: case and blanks at the end do not count,
      // and what this class does not know to compare is refused
      if (!(value instanceof SqlValue.Text(String text)) || !text.matches("\\p{ASCII}*")) {
        throw ErrorCatalogue.SHARDING_VALUE.refuse(
            "REGION", "this value", "it takes texts of ASCII characters");
      }
      String code = text.stripTrailing().toLowerCase(Locale.ROOT);
      String region = code.substring(0, Math.min(2, code.length()));
      return targets.indexOfSuffix(suffixes.getOrDefault(region, otherwise));
    }

    @Override
    public BitSet range(TargetSet targets, Range range) {
      var all = new BitSet();
      all.set(0, targets.size());
      return all;
    }
  }
}
