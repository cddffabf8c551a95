package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.protection.Masks;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MaskConfigurationTest {

  private static final String GLOBAL =
      "authority: { users: [ { user: root, password: root }, { user: Auditor, password: a } ] }\n";

  private static final String HEAD =
      """
      databaseName: shop
      dataSources: { ds: { url: "jdbc:mysql://127.0.0.1/shop", username: u, password: p } }
      rules:
      """;

  private static Configuration load(String rule) {
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", GLOBAL),
                new ConfigurationText("database-shop.yaml", HEAD + rule)));
  }

  @Test
  void readsWhoSeesWhatAndHow() {
    Masks masks =
        Objects.requireNonNull(
                load("""
                        - !MASK
                          tables: { T_User: { columns: { Phone: { maskAlgorithm: stars } } } }
                          maskAlgorithms:
                            stars: { type: keep_first_n_last_m, props: { first-n: 1, last-m: 1, replace-char: '*' } }
                          users: [auditor]
                        """)
                    .ruleSet()
                    .databases()
                    .get("shop"))
            .masks();

    assertThat(masks.concern("root")).isTrue();
    assertThat(masks.concern("Auditor")).isFalse();
    assertThat(Objects.requireNonNull(masks.of("T_USER").get("phone")).mask("12345"))
        .isEqualTo("1***5");
    assertThat(masks.of("t_user")).doesNotContainKey("id");
    assertThat(masks.of("t_order")).isEmpty();
  }

  @Test
  void tellsWhatIsWrong() {
    ConfigurationException wrong =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                load(
                    """
                    - !MASK
                      tables:
                        t_user: { columns: { phone: { maskAlgorithm: star } } }
                        t_empty: { columns: {} }
                      maskAlgorithms: { stars: { type: MD6 } }
                      users: [auditer]
                    """));
    assertThat(wrong.problems().toString())
        .contains("there is no mask algorithm `star`", "did you mean `stars`?")
        .contains("unknown type MD6")
        .contains("the table `t_empty` has no masked column")
        .contains("there is no user `auditer`");
  }
}
