package io.anabranch.rules.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.algorithm.standard.IntervalSharding;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Targets as ShardingSphere's formulas give them, worked out by hand. */
class AlgorithmTest {

  private static final AlgorithmCatalogue CATALOGUE = new AlgorithmCatalogue(List.of());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          MOD            | sharding-count=4 | i:7                     | 3
          MOD            | sharding-count=4 | i:-1                    | 3
          MOD            | sharding-count=4 | t:10                    | 2
          MOD            | sharding-count=4 | t:007                   | 3
          MOD            | sharding-count=4 | `t:7  `                 | 3
          MOD            | sharding-count=4 | t:-5                    | 3
          MOD            | sharding-count=4 | d:7.9                   | 3
          MOD            | sharding-count=7 | d:18446744073709551615  | 1
          MOD            | sharding-count=4 | t:abc                   | refused
          MOD            | sharding-count=4 | t:7.5                   | refused
          MOD            | sharding-count=4 | t:                      | refused
          MOD            | sharding-count=4 | null                    | refused
          MOD            | sharding-count=10;start-offset=1;stop-offset=1 | t:12345 | 4
          MOD            | sharding-count=10;start-offset=1;stop-offset=1 | i:12345 | 4
          MOD            | sharding-count=10;start-offset=1;stop-offset=1 | i:12    | refused
          HASH_MOD       | sharding-count=4 | i:7                     | 3
          HASH_MOD       | sharding-count=4 | i:-5                    | 1
          HASH_MOD       | sharding-count=4 | i:-2147483648           | 0
          HASH_MOD       | sharding-count=8 | i:4294967295            | 1
          HASH_MOD       | sharding-count=8 | i:-4294967297           | 1
          HASH_MOD       | sharding-count=4 | t:abc                   | 2
          HASH_MOD       | sharding-count=4 | t:                      | 0
          HASH_MOD       | sharding-count=4 | d:7.00                  | 3
          HASH_MOD       | sharding-count=4 | d:7.5                   | 2
          HASH_MOD       | sharding-count=4 | d:7.50                  | 0
          HASH_MOD       | sharding-count=4 | d:-7.50                 | 0
          HASH_MOD       | sharding-count=4 | null                    | refused
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:9    | 0
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:10   | 1
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:19   | 1
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:20   | 2
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:44   | 4
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:45   | 5
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | i:49   | 5
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | t:-100 | 0
          VOLUME_RANGE   | range-lower=10;range-upper=45;sharding-volume=10 | d:99999999999999999999 | 5
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:0   | 0
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:1   | 1
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:4   | 1
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:5   | 2
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:10  | 3
          BOUNDARY_RANGE | sharding-ranges=10,1,5 | i:999 | 3
          """)
  void numbers(String type, String properties, String value, String expected) {
    assertTarget(type, properties, value, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t:2023-01-01 00:00:00        | 0
          t:2024-01-01 00:00:00        | 0
          t:2024-01-01 00:00:01        | 0
          t:2024-01-01 00:07:11        | 0
          t:2024-01-01 00:07:13        | 1
          t:2024-01-02 00:00:00        | 1
          t:2024-01-02 00:00:00.999    | 1
          t:2024-01-02 12:00:00        | 2
          t:2024-01-02T12:00:00        | 2
          t:2024-01-03                 | 2
          t:2024-01-03 12:00:00        | 3
          t:2024-01-04 00:00:00        | 3
          t:2024-01-04 12:00:00        | 4
          t:2030-01-01 00:00:00        | 4
          date:2024-01-03              | 2
          time:2024-01-03T12:00:00     | 3
          time:2024-01-02T00:00:00.9   | 1
          t:2024                       | refused
          t:yesterday                  | refused
          i:20240101                   | refused
          null                         | refused
          """)
  void autoInterval(String value, String expected) {
    // three days: partition 0, days 1 to 3, partition 4
    String properties =
        "datetime-lower=2024-01-01 00:00:00;datetime-upper=2024-01-04 00:00:00;sharding-seconds=86400";
    assertTarget("AUTO_INTERVAL", properties, value, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | MONTHS | 1 | t:2024-01-15 00:00:00 | 202401
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | MONTHS | 1 | t:2024-02-14 23:59:59 | 202401
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | months | 1 | t:2024-02-15 00:00:00 | 202402
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | Months | 1 | t:2024-04-14 10:00:00 | 202403
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | Months | 1 | t:2024-04-15 00:00:00 | none
          yyyy-MM-dd HH:mm:ss | 2024-01-15 00:00:00 | 2024-04-01 00:00:00 | yyyyMM   | Months | 1 | t:2024-01-14 23:59:59 | none
          yyyy-MM-dd HH:mm:ss | 2024-01-01 00:00:00 | 2024-12-31 00:00:00 | yyyyMM   | Months | 1 | t:2024-03             | 202403
          yyyy-MM-dd HH:mm:ss | 2024-01-01 00:00:00 | 2024-12-31 00:00:00 | yyyyMM   | Months | 1 | t:2024-03-05 01:02:03.456789 | 202403
          yyyy-MM-dd HH:mm:ss | 2024-01-01 00:00:00 | 2024-12-31 00:00:00 | yyyyMM   | Months | 1 | date:2024-03-31       | 202403
          yyyy-MM-dd HH:mm:ss | 2024-01-01 00:00:00 | 2024-12-31 00:00:00 | yyyyMM   | Months | 1 | time:2024-03-31T23:59:59.9 | 202403
          yyyy-MM-dd          | 2024-01-01          | 2024-01-31          | yyyyMMdd | DAYS   | 2 | t:2024-01-04          | 20240103
          yyyy-MM-dd          | 2024-01-01          | 2024-01-31          | yyyyMMdd | DAYS   | 2 | t:2024-01-05 23:00:00 | 20240105
          yyyyMMdd            | 20240101            | 20240131            | yyyyMMdd | DAYS   | 1 | i:20240109            | 20240109
          yyyy-MM             | 2024-01             | 2024-06             | yyyyMM   | MONTHS | 1 | date:2024-06-30       | 202406
          yyyy                | 2020                | 2030                | yyyy     | YEARS  | 5 | t:2029                | 2025
          yyyy                | 2020                | 2030                | yyyy     | YEARS  | 5 | i:2019                | none
          MM                  | 01                  | 12                  | MM       | MONTHS | 3 | date:2031-08-09       | 07
          HH:mm:ss            | 00:00:00            | 23:59:59            | HH       | HOURS  | 6 | t:17:59:59            | 12
          HH:mm:ss            | 00:00:00            | 23:59:59            | HH       | HOURS  | 6 | time:2024-01-01T18:00 | 18
          yyyy-MM-dd          | 2024-01-01          | 2024-01-31          | yyyyMMdd | DAYS   | 1 | t:01/02/2024          | refused
          yyyy-MM-dd          | 2024-01-01          | 2024-01-31          | yyyyMMdd | DAYS   | 1 | null                  | refused
          """)
  void interval(
      String pattern,
      String lower,
      String upper,
      String suffix,
      String unit,
      String amount,
      String value,
      String expected) {
    ShardingAlgorithm algorithm =
        (ShardingAlgorithm)
            CATALOGUE.sharding(
                "interval",
                Map.of(
                    "datetime-pattern", pattern,
                    "datetime-lower", lower,
                    "datetime-upper", upper,
                    "sharding-suffix-pattern", suffix,
                    "datetime-interval-unit", unit,
                    "datetime-interval-amount", amount));
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> algorithm.precise(new TargetSet(List.of("t_1")), value(value)))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("AB2005");
      return;
    }
    TargetSet targets = new TargetSet(List.of("t_other", "t_" + expected));
    assertThat(algorithm.precise(targets, value(value)))
        .isEqualTo(expected.equals("none") ? -1 : 1);
  }

  @Test
  void intervalWithoutUpperEndsNow() {
    LocalDateTime now = LocalDateTime.of(2024, 3, 10, 12, 0);
    ShardingAlgorithm algorithm =
        IntervalSharding.create(
            new AlgorithmProperties(
                Map.of(
                    "datetime-pattern", "yyyy-MM-dd HH:mm:ss",
                    "datetime-lower", "2024-01-01 00:00:00",
                    "sharding-suffix-pattern", "yyyyMM",
                    "datetime-interval-unit", "MONTHS")),
            () -> now);
    TargetSet targets = new TargetSet(List.of("t_202401", "t_202402", "t_202403", "t_202404"));

    assertThat(algorithm.precise(targets, value("t:2024-03-31 00:00:00"))).isEqualTo(2);
    assertThat(algorithm.precise(targets, value("t:2024-04-01 00:00:00"))).isEqualTo(-1);
    assertThat(algorithm.range(targets, range("t:2024-02-02 00:00:00", null)).toString())
        .isEqualTo("{1, 2}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${id % 4}                | i:7                    | t_3
          t_${id % 4}                | i:0                    | t_0
          t_${id % 4}                | i:9007199254740993     | t_1
          t_${id % 4}                | d:18446744073709551615 | t_3
          t_${id % 4}                | i:-1                   | none
          t_${id % 4}                | t:7                    | refused
          t_${id % 4}                | null                   | refused
          t_${id.toLong() % 4}       | t:7                    | t_3
          t_${id.substring(0, 4)}    | t:2024-05-06           | t_2024
          t_${id.substring(0, 4)}    | date:2024-05-06        | t_2024
          t_${id.substring(11, 13)}  | time:2024-05-06T07:08:09.5 | t_07
          t_${Math.abs(id.hashCode()) % 4} | t:abc            | t_2
          t_1                        | i:99                   | t_1
          t_${id.intdiv(100)}        | i:250                  | t_2
          """)
  void inline(String expression, String value, String expected) {
    ShardingAlgorithm algorithm =
        (ShardingAlgorithm)
            CATALOGUE.sharding("INLINE", Map.of("algorithm-expression", expression));
    TargetSet targets = new TargetSet(List.of("t_0", "t_1", "t_2", "t_3", "t_2024", "t_07"));
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> algorithm.precise(targets, value(value)))
          .isInstanceOf(RefusedException.class);
      return;
    }
    assertThat(algorithm.precise(targets, value(value))).isEqualTo(targets.indexOf(expected));
  }

  /** At the start nobody knows which texts will be keys. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          t_${id.substring(0, 1)}            | true
          t_${Math.abs(id.hashCode()) % 2}   | false
          t_${id % 2}                        | false
          t_x                                | false
          """)
  void inlineMayGiveNodesThatOnlySomeTextsLeadTo(String expression, boolean isTaken) {
    var algorithm =
        (TargetReview) CATALOGUE.sharding("INLINE", Map.of("algorithm-expression", expression));

    assertThat(algorithm.review("id", new TargetSet(List.of("t_a", "t_b"))).isEmpty())
        .isEqualTo(isTaken);
  }

  @Test
  void inlineRefusesRangesUnlessAllowed() {
    TargetSet targets = new TargetSet(List.of("t_0", "t_1"));
    ShardingAlgorithm strict =
        (ShardingAlgorithm)
            CATALOGUE.sharding("INLINE", Map.of("algorithm-expression", "t_${id % 2}"));
    ShardingAlgorithm lenient =
        (ShardingAlgorithm)
            CATALOGUE.sharding(
                "INLINE",
                Map.of(
                    "algorithm-expression", "t_${id % 2}",
                    "allow-range-query-with-inline-sharding", "true"));

    assertThatThrownBy(() -> strict.range(targets, range("i:1", "i:2")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("allow-range-query-with-inline-sharding");
    assertThat(lenient.range(targets, range("i:1", "i:1")).cardinality()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          MOD            | sharding-count=5  | i:3 | i:5  | {0, 3, 4}
          MOD            | sharding-count=5  | i:3 | i:7  | {0, 1, 2, 3, 4}
          MOD            | sharding-count=5  | i:-1 | i:0 | {0, 4}
          MOD            | sharding-count=5  | i:3 |      | {0, 1, 2, 3, 4}
          MOD            | sharding-count=5  | t:1 | t:2  | {0, 1, 2, 3, 4}
          HASH_MOD       | sharding-count=3  | i:1 | i:1  | {1}
          HASH_MOD       | sharding-count=3  | i:-2 | i:-1 | {1, 2}
          HASH_MOD       | sharding-count=3  | i:1 | i:3  | {0, 1, 2}
          HASH_MOD       | sharding-count=3  | i:2 | i:1  | {}
          HASH_MOD       | sharding-count=3  | t:a | t:a  | {0, 1, 2}
          HASH_MOD       | sharding-count=3  | i:-9223372036854775808 | i:9223372036854775807 | {0, 1, 2}
          BOUNDARY_RANGE | sharding-ranges=1,5,10 | i:2 | i:5  | {1, 2}
          BOUNDARY_RANGE | sharding-ranges=1,5,10 |     | i:0  | {0}
          BOUNDARY_RANGE | sharding-ranges=1,5,10 | i:6 |      | {2, 3}
          BOUNDARY_RANGE | sharding-ranges=1,5,10 | t:6 | t:7  | {0, 1, 2, 3}
          VOLUME_RANGE   | range-lower=0;range-upper=30;sharding-volume=10 | i:9 | i:10 | {1, 2}
          VOLUME_RANGE   | range-lower=0;range-upper=30;sharding-volume=10 | i:25 | i:1 | {}
          """)
  void ranges(
      String type,
      String properties,
      @Nullable String lower,
      @Nullable String upper,
      String expected) {
    AutomaticAlgorithm algorithm = automatic(type, properties);
    assertThat(algorithm.range(targets(algorithm), range(lower, upper)).toString())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          MOD            |                             | sharding-count is required
          MOD            | sharding-count=0            | sharding-count must be from 1 to
          MOD            | sharding-count=four         | sharding-count must be an integer
          MOD            | sharding-count=4;stop=1     | stop unknown property
          MOD            | sharding-count=4;zero-padding=2 | zero-padding must be true or false
          VOLUME_RANGE   | range-lower=5;range-upper=5;sharding-volume=1 | must be greater than range-lower
          VOLUME_RANGE   | range-lower=0;range-upper=5;sharding-volume=0 | must be positive
          VOLUME_RANGE   | range-lower=0;range-upper=9223372036854775807;sharding-volume=1 | more than 100000 targets
          BOUNDARY_RANGE | sharding-ranges=1,x         | comma list of integers
          AUTO_INTERVAL  | datetime-lower=2024;datetime-upper=2024-01-04 00:00:00;sharding-seconds=1 | datetime-lower must be a time
          INTERVAL       | datetime-pattern=yyyy-MM-dd;datetime-lower=2024-01;sharding-suffix-pattern=yyyy | does not have the form
          INTERVAL       | datetime-pattern=yyyy-MM-dd;datetime-lower=2024-01-01;sharding-suffix-pattern=HH | has fields that
          INTERVAL       | datetime-pattern=yyyy-MM-dd;datetime-lower=2024-01-01;sharding-suffix-pattern=yyyy;datetime-interval-unit=HOURS | cannot be HOURS
          INTERVAL       | datetime-pattern=HH;datetime-lower=01;sharding-suffix-pattern=HH;datetime-interval-unit=HOURS | datetime-upper is required
          INLINE         | algorithm-expression=t_${  | '{' is not closed
          INLINE         | algorithm-expression=t_${a}${b} | a standard strategy has one
          """)
  void refusesProperties(String type, @Nullable String properties, String reason) {
    assertThatThrownBy(() -> CATALOGUE.sharding(type, properties(properties)))
        .isInstanceOf(InvalidPropertiesException.class)
        .hasMessageContaining(reason);
  }

  private static void assertTarget(String type, String properties, String value, String expected) {
    AutomaticAlgorithm algorithm = automatic(type, properties);
    TargetSet targets = targets(algorithm);
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> algorithm.precise(targets, value(value)))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("AB2005");
      return;
    }
    assertThat(algorithm.precise(targets, value(value))).isEqualTo(Integer.parseInt(expected));
  }

  private static AutomaticAlgorithm automatic(String type, String properties) {
    return (AutomaticAlgorithm) CATALOGUE.sharding(type, properties(properties));
  }

  private static TargetSet targets(AutomaticAlgorithm algorithm) {
    return new TargetSet(
        IntStream.range(0, algorithm.targetCount()).mapToObj(i -> "t_" + i).toList());
  }

  static Map<String, String> properties(@Nullable String text) {
    Map<String, String> properties = new TreeMap<>();
    for (String each : text == null ? new String[0] : text.split(";", -1)) {
      int equals = each.indexOf('=');
      properties.put(each.substring(0, equals), each.substring(equals + 1));
    }
    return properties;
  }

  static ShardingAlgorithm.Range range(@Nullable String lower, @Nullable String upper) {
    return new ShardingAlgorithm.Range(
        lower == null ? null : value(lower), true, upper == null ? null : value(upper), true);
  }

  static SqlValue value(String text) {
    List<String> parts = new ArrayList<>(List.of(text.split(":", 2)));
    String content = parts.size() == 1 ? "" : parts.get(1);
    return switch (parts.getFirst()) {
      case "i" -> new SqlValue.Int(Long.parseLong(content));
      case "d" -> new SqlValue.Decimal(new BigDecimal(content));
      case "t" -> new SqlValue.Text(content);
      case "date" -> new SqlValue.Date(LocalDate.parse(content));
      case "time" -> new SqlValue.DateTime(LocalDateTime.parse(content));
      default -> SqlValue.Null.NULL;
    };
  }
}
