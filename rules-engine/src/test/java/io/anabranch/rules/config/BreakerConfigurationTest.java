package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.protection.BreakerSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code circuitBreaker} of data sources. */
class BreakerConfigurationTest {

  private static @Nullable BreakerSettings load(String breaker) {
    String global =
        """
        authority:
          users:
          - { user: app, password: a }
        """;
    String database =
        """
        databaseName: shop
        dataSources:
          ds_0:
            url: "jdbc:mysql://127.0.0.1:3306/shop"
        """
            + breaker.indent(4)
            + "rules: []\n";
    var database0 =
        new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
            .load(
                List.of(
                    new ConfigurationText("global.yaml", global),
                    new ConfigurationText("database-shop.yaml", database)))
            .ruleSet()
            .databases()
            .get("shop");
    return Objects.requireNonNull(
            Objects.requireNonNull(database0).dataSources().get("ds_0"), "the data source")
        .breaker();
  }

  @Test
  void thereIsNoneUnlessItIsSaid() {
    assertThat(load("")).isNull();
  }

  @Test
  void whatIsNotSaidHasAValue() {
    assertThat(load("circuitBreaker: {}"))
        .isEqualTo(new BreakerSettings(50, 0, 50, 20, 10_000, 1000, 5));
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                "circuitBreaker: { errorPercent: 10, slowMilliseconds: 200, slowPercent: 30,"
                    + " statements: 5, windowMilliseconds: 1000, openMilliseconds: 100, trials: 2 }"))
        .isEqualTo(new BreakerSettings(10, 200, 30, 5, 1000, 100, 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ errorPercent: 0 } | 5:37 | must be from 1 to 100",
        "{ errorPercent: 101 } | 5:37 | must be from 1 to 100",
        "{ slowPercent: 20 } | 5:36 | has no effect without `slowMilliseconds`",
        "{ trials: 0 } | 5:31 | must be from 1",
        "{ errorPercents: 5 } | 5:23 | unknown key `errorPercents`",
        "often | 5:21 | "
      })
  void mistakesHaveTheirPlace(String breaker, String place, @Nullable String says) {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class, () -> load("circuitBreaker: " + breaker));
    assertThat(refused).isNotNull();
    assertThat(refused.problems().stream().map(Problem::toString))
        .anyMatch(problem -> problem.contains("database-shop.yaml:" + place))
        .anyMatch(problem -> problem.contains(says == null ? "" : says));
  }
}
