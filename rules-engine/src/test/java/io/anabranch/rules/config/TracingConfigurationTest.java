package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.ProxyProperties.Tracing;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code global.yaml} says about tracing. */
class TracingConfigurationTest {

  private static Tracing load(String props) {
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
        .tracing();
  }

  @Test
  void nothingSaid() {
    assertThat(load("sql-show: false")).isEqualTo(Tracing.DEFAULTS);
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                """
                proxy-tracing-endpoint: https://collector.example:4318/v1/traces
                proxy-tracing-authorization: Bearer 0123456789abcdef
                proxy-tracing-service-name: orders
                proxy-tracing-sample-percent: 0.25
                """))
        .isEqualTo(
            new Tracing(
                "https://collector.example:4318/v1/traces",
                "Bearer 0123456789abcdef",
                "orders",
                0.25));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "100", "100.0", "7", "0.0001"})
  void shares(String percent) {
    assertThat(load("proxy-tracing-sample-percent: " + percent).samplePercent())
        .isEqualTo(Double.parseDouble(percent));
  }

  @Test
  void theAuthorizationIsNotShown() {
    assertThat(load("proxy-tracing-authorization: Bearer 0123456789abcdef"))
        .asString()
        .doesNotContain("0123");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "proxy-tracing-endpoint: collector:4318|'collector:4318' is no URL of a collector",
        "proxy-tracing-endpoint: grpc://collector:4317|'grpc://collector:4317' is no URL of a collector",
        "proxy-tracing-endpoint: http://a:b@collector/|is no URL of a collector",
        "proxy-tracing-authorization: \"a\\nb\"|is no value of an HTTP header",
        "proxy-tracing-sample-percent: 101|'101' is no percentage",
        "proxy-tracing-sample-percent: half|'half' is no percentage",
      })
  void mistakesAreTold(String props, String problem) {
    assertThat(catchThrowableOfType(ConfigurationException.class, () -> load(props)).problems())
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .contains(problem);
  }
}
