package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.protection.OverloadSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code overload} of data sources. */
class OverloadConfigurationTest {

  private static OverloadSettings load(String overload) {
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
            + overload.indent(4)
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
        .overload();
  }

  @Test
  void nothingIsBoundedUnlessItIsSaid() {
    assertThat(load("")).isEqualTo(OverloadSettings.NONE);
    assertThat(load("overload: {}")).isEqualTo(new OverloadSettings(0, false, 10, 2));
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                "overload: { queue: 200, adaptive: true, leastConnections: 4, slowerPercent: 150 }"))
        .isEqualTo(new OverloadSettings(200, true, 4, 1.5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ queue: 0 } | must be from 1 to",
        "{ adaptive: true, leastConnections: 51 } | must be from 1 to 50",
        "{ adaptive: true, slowerPercent: 100 } | must be from 110 to",
        "{ slowerPercent: 300 } | `slowerPercent` without `adaptive: true`",
        "{ queues: 5 } | unknown key `queues`"
      })
  void mistakesAreTold(String overload, String says) {
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, () -> load("overload: " + overload));
    assertThat(refused).isNotNull();
    assertThat(refused.problems().stream().map(Problem::toString))
        .anyMatch(problem -> problem.contains(says));
  }
}
