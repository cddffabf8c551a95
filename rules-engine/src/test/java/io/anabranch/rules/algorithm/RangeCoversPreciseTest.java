package io.anabranch.rules.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The target of a value is among the targets of every range that the value is in. */
class RangeCoversPreciseTest {

  private static final int ROUNDS = 3000;
  private static final LocalDateTime EPOCH = LocalDateTime.of(2023, 11, 1, 0, 0);

  private final Random random = new Random(20161101);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MOD            | sharding-count=7
          MOD            | sharding-count=7;start-offset=0;stop-offset=1
          HASH_MOD       | sharding-count=5
          VOLUME_RANGE   | range-lower=-20;range-upper=75;sharding-volume=10
          BOUNDARY_RANGE | sharding-ranges=-5,0,1,60
          """)
  void integers(String type, String properties) {
    AutomaticAlgorithm algorithm =
        (AutomaticAlgorithm)
            new AlgorithmCatalogue(List.of()).sharding(type, AlgorithmTest.properties(properties));
    List<String> names =
        IntStream.range(0, algorithm.targetCount()).mapToObj(i -> "t_" + i).toList();
    check(algorithm, names, () -> 10L + random.nextInt(90), SqlValue.Int::new);
  }

  @ParameterizedTest
  @CsvSource({"DAYS,1", "DAYS,3", "WEEKS,1", "MONTHS,1", "MONTHS,2", "HOURS,36", "YEARS,1"})
  void intervals(String unit, String amount) {
    ShardingAlgorithm algorithm =
        (ShardingAlgorithm)
            new AlgorithmCatalogue(List.of())
                .sharding(
                    "INTERVAL",
                    Map.of(
                        "datetime-pattern", "yyyy-MM-dd HH:mm:ss",
                        "datetime-lower", "2023-12-31 06:00:00",
                        "datetime-upper", "2024-04-01 00:00:00",
                        "sharding-suffix-pattern", "yyyyMMdd",
                        "datetime-interval-unit", unit,
                        "datetime-interval-amount", amount));
    List<String> names =
        IntStream.range(0, 200)
            .mapToObj(i -> "t_" + EPOCH.plusDays(i).toLocalDate().toString().replace("-", ""))
            .toList();
    times(algorithm, names);
  }

  @ParameterizedTest
  @CsvSource({"DAYS,1", "DAYS,3", "MONTHS,1", "MONTHS,2", "HOURS,36", "YEARS,1"})
  void cosidIntervals(String unit, String amount) {
    ShardingAlgorithm algorithm =
        (ShardingAlgorithm)
            new AlgorithmCatalogue(List.of())
                .sharding(
                    "COSID_INTERVAL",
                    Map.of(
                        "logic-name-prefix", "t_",
                        "datetime-lower", "2023-12-31 06:00:00",
                        "datetime-upper", "2024-04-01 00:00:00",
                        "sharding-suffix-pattern", "yyyyMMdd",
                        "datetime-interval-unit", unit,
                        "datetime-interval-amount", amount));
    List<String> names =
        IntStream.range(-400, 200)
            .mapToObj(i -> "t_" + EPOCH.plusDays(i).toLocalDate().toString().replace("-", ""))
            .toList();
    times(algorithm, names);
  }

  @ParameterizedTest
  @CsvSource({"3600", "86400", "1000000"})
  void autoIntervals(String seconds) {
    AutomaticAlgorithm algorithm =
        (AutomaticAlgorithm)
            new AlgorithmCatalogue(List.of())
                .sharding(
                    "AUTO_INTERVAL",
                    Map.of(
                        "datetime-lower", "2023-12-31 06:00:00",
                        "datetime-upper", "2024-04-01 00:00:00",
                        "sharding-seconds", seconds));
    times(algorithm, IntStream.range(0, algorithm.targetCount()).mapToObj(i -> "t_" + i).toList());
  }

  private void times(ShardingAlgorithm algorithm, List<String> names) {
    check(algorithm, names, this::minute, RangeCoversPreciseTest::dateTime);
    check(algorithm, names, this::minute, m -> new SqlValue.Text(DateTimeText.of(time(m))));
    check(
        algorithm,
        names,
        () -> minute() / 1440 * 1440,
        minute -> new SqlValue.Date(LocalDate.from(time(minute))));
  }

  private long minute() {
    return random.nextInt(200 * 1440);
  }

  private static SqlValue dateTime(long minute) {
    return new SqlValue.DateTime(time(minute));
  }

  private static LocalDateTime time(long minute) {
    return EPOCH.plusMinutes(minute);
  }

  private void check(
      ShardingAlgorithm algorithm,
      List<String> names,
      java.util.function.LongSupplier numbers,
      Function<Long, SqlValue> maker) {
    TargetSet targets = new TargetSet(names);
    int placed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long[] three = {numbers.getAsLong(), numbers.getAsLong(), numbers.getAsLong()};
      java.util.Arrays.sort(three);
      Range range =
          new Range(
              random.nextInt(8) == 0 ? null : maker.apply(three[0]),
              three[0] == three[1] || random.nextBoolean(),
              random.nextInt(8) == 0 ? null : maker.apply(three[2]),
              three[1] == three[2] || random.nextBoolean());
      int target = algorithm.precise(targets, maker.apply(three[1]));
      BitSet covered = algorithm.range(targets, range);
      if (target != ShardingAlgorithm.NO_TARGET) {
        placed++;
        assertThat(covered.get(target)).as("%s in %s", maker.apply(three[1]), range).isTrue();
      }
    }
    assertThat(placed).isPositive();
  }
}
