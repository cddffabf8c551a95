package io.anabranch.rules.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.MarkedText;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routing by complex and hint strategies; nodes are numbered from 0. */
class SeveralColumnsTest {

  private static final AlgorithmCatalogue CATALOGUE = new AlgorithmCatalogue(List.of());
  private static final Pattern NUMBER = Pattern.compile("\\b\\d+\\b");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a = 1 and b = 2                        | 3",
        "a in (1, 2) and b = 2                  | 0,3",
        "a = 1                                  | 0,1,2,3",
        "c = 1                                  | 0,1,2,3",
        "a = null and b = 2                     | ''",
        "(a, b) in ((1, 1), (1, 2))             | 2,3",
        "a = 1 and b = 2 or a = 0 and b = 0     | 0,3",
        "a = 1 and b = 2 or c = 1               | 0,1,2,3",
        "a = 1 and (b = 2 or b = 3)             | 0,1,2,3",
        "a = 1 and b > 2                        | 0,1,2,3",
        "a = 1 and b = 2 and b > 0              | 3",
        "b = 2 and c = 3 and a = 1              | 3",
      })
  void takesColumnsTogether(String where, String expected) {
    var algorithm =
        (ComplexShardingAlgorithm)
            CATALOGUE.sharding(
                "COMPLEX_INLINE",
                Map.of(
                    "algorithm-expression",
                    "t_${(a + b) % 4}",
                    "allow-range-query-with-inline-sharding",
                    "true"));
    var strategy = new ShardingStrategy.Complex(List.of("a", "B"), algorithm);
    assertThat(nodes(table(ShardingStrategy.None.NONE, strategy), where, HintValues.NONE))
        .isEqualTo(expected);
  }

  @Test
  void followsHintsOfBothLevels() {
    var hint = new ShardingStrategy.Hint(inline("t_${value}"));
    var table = table(new ShardingStrategy.Hint(inline("ds_${value}")), hint);
    assertThat(nodes(table, "a = 1", HintValues.NONE)).isEqualTo("0,1,2,3");
    assertThat(nodes(table, "a = 1", hints(1L, null))).isEqualTo("1,3");
    assertThat(nodes(table, "a = 1", hints(null, 2L))).isEqualTo("2");
    assertThat(nodes(table, "a = 1", hints(1L, 3L))).isEqualTo("3");
    assertThat(nodes(table, "a = 1", hints(0L, 3L))).isEqualTo("");
  }

  private static HintShardingAlgorithm inline(String expression) {
    return (HintShardingAlgorithm)
        CATALOGUE.sharding("HINT_INLINE", Map.of("algorithm-expression", expression));
  }

  private static HintValues hints(
      @org.jspecify.annotations.Nullable Long database,
      @org.jspecify.annotations.Nullable Long table) {
    return new HintValues(
        database == null ? List.of() : List.of(new SqlValue.Int(database)),
        table == null ? List.of() : List.of(new SqlValue.Int(table)));
  }

  /** {@code ds_0.t_0, ds_1.t_1, ds_0.t_2, ds_1.t_3}. */
  private static ShardedTable table(ShardingStrategy database, ShardingStrategy tables) {
    var nodes = new ArrayList<DataNode>();
    for (int i = 0; i < 4; i++) {
      nodes.add(new DataNode("ds_" + i % 2, "t_" + i));
    }
    return new ShardedTable("t", nodes, database, tables, null, -1);
  }

  private static String nodes(ShardedTable table, String where, HintValues hints) {
    var numbers = new ArrayList<Object>();
    String text =
        NUMBER
            .matcher("select * from t where " + where)
            .replaceAll(
                found -> {
                  numbers.add(Integer.valueOf(found.group()));
                  return MarkedText.SLOT + (numbers.size() - 1) + " ";
                });
    var block =
        new SqlParser()
            .parse(new MarkedText(text, List.of(), token -> MarkedText.NO_TOKEN), false)
            .orElseThrow()
            .blocks()
            .getFirst();
    Map<String, KeyType> types =
        Map.of("a", KeyType.INTEGER, "b", KeyType.INTEGER, "c", KeyType.INTEGER);
    var columns = new BlockColumns(block, List.of(types));
    return String.join(
        ",",
        new RouteCompiler(block, columns)
            .compile(table, 0, hints).nodes(TestValues.of(numbers.toArray())).stream()
                .mapToObj(Integer::toString)
                .toList());
  }
}
