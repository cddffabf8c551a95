package io.anabranch.rules.algorithm.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.key.Radix62;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Targets as CosId's arithmetic gives them. */
class CosidShardingTest {

  private static final AlgorithmCatalogue CATALOGUE = new AlgorithmCatalogue(List.of());

  private static final Map<String, String> MONTHS =
      Map.of(
          "logic-name-prefix", "t_",
          "datetime-lower", "2021-01-01 00:00:00",
          "datetime-upper", "2022-01-01 00:00:00",
          "sharding-suffix-pattern", "yyyyMM",
          "datetime-interval-unit", "MONTHS",
          "zone-id", "Asia/Shanghai");

  private static final TargetSet YEAR =
      new TargetSet(
          IntStream.rangeClosed(1, 13)
              .mapToObj(i -> i == 13 ? "t_202201" : String.format("t_2021%02d", i))
              .toList());

  private static ShardingAlgorithm algorithm(String type, Map<String, String> properties) {
    return (ShardingAlgorithm) CATALOGUE.sharding(type, properties);
  }

  private static ShardingAlgorithm months(String... changes) {
    var properties = new HashMap<>(MONTHS);
    for (int i = 0; i < changes.length; i += 2) {
      properties.put(changes[i], changes[i + 1]);
    }
    return algorithm("COSID_INTERVAL", properties);
  }

  private static String target(ShardingAlgorithm algorithm, TargetSet targets, SqlValue value) {
    int target = algorithm.precise(targets, value);
    return target < 0 ? "none" : targets.names().get(target);
  }

  private static List<String> range(
      ShardingAlgorithm algorithm,
      TargetSet targets,
      @Nullable SqlValue lower,
      @Nullable SqlValue upper) {
    var names = new ArrayList<String>();
    algorithm.range(targets, new Range(lower, true, upper, true)).stream()
        .forEach(i -> names.add(targets.names().get(i)));
    return names;
  }

  private static SqlValue time(String text) {
    return new SqlValue.DateTime(LocalDateTime.parse(text));
  }

  @Test
  void modulo() {
    ShardingAlgorithm mod =
        algorithm("COSID_MOD", Map.of("mod", "4", "logic-name-prefix", "t_mod_"));
    var targets = new TargetSet(List.of("t_mod_3", "t_mod_1", "t_mod_2", "t_mod_0"));
    assertThat(target(mod, targets, new SqlValue.Int(6))).isEqualTo("t_mod_2");
    assertThat(target(mod, targets, new SqlValue.Int(-1))).isEqualTo("t_mod_3");
    assertThat(target(mod, targets, new SqlValue.Text("8"))).isEqualTo("t_mod_0");
    assertThat(target(mod, targets, new SqlValue.Decimal(new BigDecimal("18446744073709551615"))))
        .isEqualTo("t_mod_3");
    assertThat(range(mod, targets, new SqlValue.Int(5), new SqlValue.Int(6)))
        .containsExactlyInAnyOrder("t_mod_1", "t_mod_2");
    assertThat(range(mod, targets, new SqlValue.Int(5), new SqlValue.Int(8))).hasSize(4);
    assertThat(range(mod, targets, new SqlValue.Int(5), null)).hasSize(4);
    assertThat(range(mod, targets, new SqlValue.Int(8), new SqlValue.Int(5))).isEmpty();
    assertThatThrownBy(() -> mod.precise(targets, new SqlValue.Text("a")))
        .isInstanceOf(RefusedException.class);
    assertThat(((TargetReview) mod).review("id", targets)).isEmpty();
    assertThat(((TargetReview) mod).review("id", new TargetSet(List.of("t_mod_0", "t_mod_2"))))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.fatal()).isTrue();
              assertThat(finding.reason()).contains("t_mod_1");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "2021-01-01 00:00:00, t_202101",
    "2021-05-31 23:59:59, t_202105",
    "2021-06-01 00:00:00, t_202106",
    "2022-01-01 00:00:00, t_202201",
    "2022-01-01 00:00:01, none",
    "2020-12-31 23:59:59, none"
  })
  void monthsByEveryFormOfAMoment(String text, String target) {
    LocalDateTime at = LocalDateTime.parse(text.replace(' ', 'T'));
    long seconds = at.toEpochSecond(ZoneOffset.ofHours(8));
    assertThat(target(months(), YEAR, new SqlValue.DateTime(at))).isEqualTo(target);
    assertThat(target(months(), YEAR, new SqlValue.Text(text))).isEqualTo(target);
    assertThat(target(months(), YEAR, new SqlValue.Text(text + ".000000"))).isEqualTo(target);
    assertThat(target(months(), YEAR, new SqlValue.Int(seconds * 1000))).isEqualTo(target);
    assertThat(target(months("ts-unit", "second"), YEAR, new SqlValue.Int(seconds)))
        .isEqualTo(target);
    if (at.toLocalTime().toSecondOfDay() == 0) {
      assertThat(target(months(), YEAR, new SqlValue.Date(LocalDate.from(at)))).isEqualTo(target);
    }
  }

  @Test
  void whatIsNoMomentIsRefused() {
    for (SqlValue value :
        List.of(
            new SqlValue.Text("soon"),
            new SqlValue.Floating(1),
            new SqlValue.Int(Long.MAX_VALUE))) {
      ShardingAlgorithm seconds = months("ts-unit", "SECOND");
      assertThatThrownBy(() -> seconds.precise(YEAR, value)).isInstanceOf(RefusedException.class);
    }
  }

  @Test
  void rangesOfMonths() {
    assertThat(range(months(), YEAR, time("2021-03-05T00:00"), time("2021-05-01T00:00")))
        .containsExactly("t_202103", "t_202104", "t_202105");
    assertThat(range(months(), YEAR, null, time("2021-02-01T00:00")))
        .containsExactly("t_202101", "t_202102");
    assertThat(range(months(), YEAR, time("2021-12-01T00:00"), null))
        .containsExactly("t_202112", "t_202201");
    assertThat(range(months(), YEAR, time("2019-01-01T00:00"), time("2020-01-01T00:00"))).isEmpty();
    assertThat(range(months(), YEAR, time("2023-01-01T00:00"), null)).isEmpty();
  }

  @Test
  void windowsBeginWhereTheirUnitDoes() {
    ShardingAlgorithm quarters =
        months("datetime-lower", "2021-02-17 12:00:00", "datetime-interval-amount", "3");
    var targets = new TargetSet(List.of("t_202102", "t_202105", "t_202108", "t_202111"));
    assertThat(target(quarters, targets, time("2021-04-30T23:00"))).isEqualTo("t_202102");
    assertThat(target(quarters, targets, time("2021-05-01T00:00"))).isEqualTo("t_202105");
    assertThat(target(quarters, targets, time("2021-02-17T11:00"))).isEqualTo("none");
    assertThat(target(quarters, targets, time("2022-01-01T00:00"))).isEqualTo("t_202111");
  }

  /** CosId counts the hours of whole days only. */
  @ParameterizedTest
  @CsvSource({
    "2024-01-01T22:00, t_2024010105",
    "2024-01-02T01:00, t_2024010205",
    "2024-01-02T23:00, t_2024010205",
    "2024-01-03T01:00, t_2024010305"
  })
  void hours(String moment, String target) {
    ShardingAlgorithm hours =
        months(
            "datetime-lower", "2024-01-01 05:00:00",
            "datetime-upper", "2024-01-03 10:00:00",
            "datetime-interval-unit", "HOURS",
            "datetime-interval-amount", "6",
            "sharding-suffix-pattern", "yyyyMMddHH");
    var targets =
        new TargetSet(
            List.of(
                "t_2024010105", "t_2024010111", "t_2024010205", "t_2024010211", "t_2024010305"));
    assertThat(target(hours, targets, time(moment))).isEqualTo(target);
    assertThat(range(hours, targets, time(moment), time(moment))).containsExactly(target);
  }

  @Test
  void keysThatTellTheirMoment() {
    var properties = new HashMap<>(MONTHS);
    properties.put("zone-id", "UTC");
    properties.put("epoch", "1609459200000");
    ShardingAlgorithm keys = algorithm("COSID_INTERVAL_SNOWFLAKE", properties);
    long inMarch = ((60L * 86_400_000) << 22) + 4711;
    assertThat(target(keys, YEAR, new SqlValue.Int(inMarch))).isEqualTo("t_202103");
    assertThat(Radix62.number("0000000000z")).isEqualTo(61);
    assertThat(Radix62.number("AzL8n0Y58m7")).isEqualTo(Long.MAX_VALUE);
    assertThat(target(keys, YEAR, new SqlValue.Text(radix62(inMarch)))).isEqualTo("t_202103");
    assertThat(range(keys, YEAR, new SqlValue.Int(inMarch), null)).hasSize(11);
    assertThat(range(keys, YEAR, new SqlValue.Text(radix62(inMarch)), null)).hasSize(13);
    for (String wrong : List.of("", "é", "AzL8n0Y58m8", "000000000000")) {
      assertThatThrownBy(() -> keys.precise(YEAR, new SqlValue.Text(wrong)))
          .isInstanceOf(RefusedException.class);
    }
  }

  private static String radix62(long number) {
    String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    var text = new StringBuilder();
    for (long rest = number; rest > 0; rest /= 62) {
      text.insert(0, digits.charAt((int) (rest % 62)));
    }
    return text.toString();
  }

  @Test
  void mistakesAreToldAtOnce() {
    assertThatThrownBy(
            () ->
                months(
                    "datetime-lower", "2021-01-01",
                    "datetime-interval-unit", "WEEKS",
                    "sharding-suffix-pattern", "b",
                    "zone-id", "Nowhere",
                    "ts-unit", "minute"))
        .isInstanceOfSatisfying(
            InvalidPropertiesException.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(InvalidPropertiesException.Violation::property)
                    .containsExactlyInAnyOrder(
                        "datetime-lower",
                        "datetime-interval-unit",
                        "sharding-suffix-pattern",
                        "zone-id",
                        "ts-unit"));
    assertThatThrownBy(() -> months("datetime-upper", "2020-01-01 00:00:00"))
        .isInstanceOf(InvalidPropertiesException.class);
    assertThatThrownBy(() -> algorithm("COSID_MOD", Map.of("mod", "0")))
        .isInstanceOf(InvalidPropertiesException.class);
  }
}
