package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.ProxyProperties.Audited;
import io.anabranch.rules.model.ProxyProperties.LogForm;
import io.anabranch.rules.model.ProxyProperties.Statistics;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code global.yaml} says about statistics and logs of statements. */
class StatisticsConfigurationTest {

  private static Statistics load(String props) {
    String global =
        "authority:\n  users:\n    - { user: a, password: a }\nprops:\n" + props.indent(2);
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", global),
                new ConfigurationText(
                    "database-shop.yaml",
                    """
                    databaseName: shop
                    dataSources:
                      ds_0: { url: "jdbc:mysql://127.0.0.1:3306/shop" }
                    rules: []
                    """)))
        .ruleSet()
        .properties()
        .statistics();
  }

  @Test
  void nothingSaid() {
    assertThat(load("sql-show: false")).isEqualTo(Statistics.DEFAULTS);
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                """
                proxy-statistics-digests: 7
                proxy-slow-log-threshold-milliseconds: 0
                proxy-slow-log-user-thresholds: "reporting=5000, batch = -1"
                proxy-slow-log-database-thresholds: shop=1
                proxy-slow-log-file: slow.log
                proxy-slow-log-format: Text
                proxy-slow-log-explain-per-minute: 6
                proxy-audit-log-file: /var/log/audit.log
                proxy-audit-log-statements: Read, failed
                proxy-statement-log-literals: true
                proxy-statement-log-max-bytes: 2048
                proxy-statement-log-files: 3
                proxy-origin-comment: true
                """))
        .isEqualTo(
            new Statistics(
                7,
                0,
                Map.of("reporting", 5000L, "batch", -1L),
                Map.of("shop", 1L),
                "slow.log",
                LogForm.TEXT,
                6,
                "/var/log/audit.log",
                EnumSet.of(Audited.READ, Audited.FAILED),
                true,
                2048,
                3,
                true));
  }

  @Test
  void allGroups() {
    assertThat(load("proxy-audit-log-statements: all").audited())
        .containsExactlyInAnyOrder(Audited.values());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "proxy-slow-log-user-thresholds: reporting|'reporting' is no name with milliseconds",
        "proxy-slow-log-database-thresholds: shop=-2|'shop=-2' is no name with milliseconds",
        "proxy-audit-log-statements: reads|there is no group of statements 'reads'",
        "proxy-slow-log-format: xml|there is no format 'xml'",
      })
  void mistakesAreTold(String props, String problem) {
    assertThat(catchThrowableOfType(ConfigurationException.class, () -> load(props)).problems())
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .contains(problem);
  }
}
