package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.ProxyProperties;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How deep connections are shared. */
class PipelineConfigurationTest {

  private static int load(String props) {
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
        .pipelineDepth();
  }

  @Test
  void nothingSaid() {
    assertThat(load("sql-show: false")).isEqualTo(ProxyProperties.PIPELINE_AUTO);
  }

  @ParameterizedTest
  @CsvSource({"auto,-1", "AUTO,-1", "0,0", "8,8", "64,64"})
  void said(String text, int depth) {
    assertThat(ProxyProperties.PIPELINE_AUTO).isEqualTo(-1);
    assertThat(load("proxy-pipeline-depth: " + text)).isEqualTo(depth);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65", "deep", "[1]"})
  void refused(String text) {
    assertThatThrownBy(() -> load("proxy-pipeline-depth: " + text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("proxy-pipeline-depth");
  }
}
