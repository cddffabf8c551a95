package io.anabranch.rules.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComplexAndHintTest {

  private static final TargetSet TARGETS = new TargetSet(List.of("t_0", "t_1", "t_2", "t_3"));
  private static final String EXPRESSION = "t_${(user_id + order_id) % 4}";

  @Test
  void takesTheProductOfTheValues() {
    var algorithm = complex(Map.of("algorithm-expression", EXPRESSION));
    assertThat(
            algorithm.targets(
                TARGETS, Map.of("user_id", ints(1, 2), "order_id", ints(0, 4)), Map.of()))
        .isEqualTo(bits(1, 2));
    assertThat(algorithm.targets(TARGETS, Map.of("user_id", ints(1)), Map.of()))
        .isEqualTo(bits(0, 1, 2, 3));
  }

  @Test
  void takesRangesWhereTheyAreAllowed() {
    var range = Map.of("order_id", new Range(new SqlValue.Int(1), true, null, false));
    var strict = complex(Map.of("algorithm-expression", EXPRESSION));
    assertThatThrownBy(() -> strict.targets(TARGETS, Map.of("user_id", ints(1)), range))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("allow-range-query-with-inline-sharding");
    var lenient =
        complex(
            Map.of(
                "algorithm-expression",
                EXPRESSION,
                "allow-range-query-with-inline-sharding",
                "true"));
    assertThat(lenient.targets(TARGETS, Map.of("user_id", ints(1)), range))
        .isEqualTo(bits(0, 1, 2, 3));
  }

  @Test
  void wantsAllColumnsOfTheExpressionListed() {
    assertThatThrownBy(
            () ->
                complex(
                    Map.of("algorithm-expression", EXPRESSION, "sharding-columns", "user_id, x")))
        .isInstanceOf(InvalidPropertiesException.class)
        .hasMessageContaining("order_id");
  }

  @Test
  void followsHints() {
    var algorithm =
        (HintShardingAlgorithm)
            catalogue().sharding("HINT_INLINE", Map.of("algorithm-expression", "t_${value % 4}"));
    assertThat(algorithm.targets(TARGETS, ints(7))).isEqualTo(bits(3));
    var plain = (HintShardingAlgorithm) catalogue().sharding("HINT_INLINE", Map.of());
    assertThat(plain.targets(TARGETS, List.of(new SqlValue.Text("t_2")))).isEqualTo(bits(2));
    assertThat(plain.targets(TARGETS, List.of(new SqlValue.Text("t_9")))).isEqualTo(bits());
  }

  @Test
  void findsRegisteredClassesByTheirName() {
    Map<String, String> properties =
        Map.of(
            "strategy", "hint", "algorithmClassName", FirstTarget.class.getName(), "own", "value");
    assertThat(catalogue().sharding("CLASS_BASED", properties))
        .isInstanceOfSatisfying(
            HintShardingAlgorithm.class,
            hint -> assertThat(hint.targets(TARGETS, ints(3))).isEqualTo(bits(0)));
    assertThatThrownBy(
            () ->
                catalogue()
                    .sharding(
                        "CLASS_BASED",
                        Map.of(
                            "strategy",
                            "STANDARD",
                            "algorithmClassName",
                            FirstTarget.class.getName())))
        .hasMessageContaining("of the strategy HINT, not STANDARD");
    assertThatThrownBy(
            () ->
                catalogue()
                    .sharding(
                        "CLASS_BASED", Map.of("strategy", "HINT", "algorithmClassName", "a.B")))
        .hasMessageContaining("META-INF/services");
  }

  /** A plug-in's provider. */
  public static final class FirstTarget implements AlgorithmProvider {
    @Override
    public String type() {
      return "FIRST";
    }

    @Override
    public PlacementAlgorithm create(Map<String, String> properties) {
      return (HintShardingAlgorithm) (targets, values) -> bits(0);
    }
  }

  private static AlgorithmCatalogue catalogue() {
    return new AlgorithmCatalogue(List.of(new FirstTarget()));
  }

  private static ComplexShardingAlgorithm complex(Map<String, String> properties) {
    return (ComplexShardingAlgorithm) catalogue().sharding("COMPLEX_INLINE", properties);
  }

  private static List<SqlValue> ints(long... numbers) {
    return java.util.Arrays.stream(numbers).<SqlValue>mapToObj(SqlValue.Int::new).toList();
  }

  private static BitSet bits(int... positions) {
    var bits = new BitSet();
    for (int position : positions) {
      bits.set(position);
    }
    return bits;
  }
}
