package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.account.AccountStores;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.algorithm.balance.LoadBalancerCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.shadow.ShadowMatcher;
import io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.discovery.DiscoveryCatalogue;
import io.anabranch.rules.listener.ListenerCatalogue;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.secret.SecretSources;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShadowConfigurationTest {

  private static final String GLOBAL =
      "authority: { users: [ { user: root, password: root }, { user: Tester, password: a } ] }\n";

  private static final String HEAD =
      """
      databaseName: shop
      dataSources:
        ds: { url: "jdbc:mysql://127.0.0.1/shop", username: u, password: p }
        test: { url: "jdbc:mysql://127.0.0.1/test", username: u, password: p }
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
  void readsWhatGoesWhere() {
    LogicalDatabase database =
        Objects.requireNonNull(
            load("""
                - !SHADOW
                  dataSources:
                    pair: { productionDataSourceName: ds, shadowDataSourceName: test }
                  tables:
                    T_Order: { dataSourceNames: [pair], shadowAlgorithmNames: [nines, user] }
                    t_item: { dataSourceNames: [pair] }
                  defaultShadowAlgorithmName: hint
                  shadowAlgorithms:
                    nines: { type: REGEX_MATCH, props: { column: User_Id, operation: INSERT, regex: "9+" } }
                    user: { type: USER_MATCH, props: { users: "tester, root" } }
                    hint: { type: SQL_HINT, props: { shadow: true, foo: bar } }
                """)
                .ruleSet()
                .databases()
                .get("shop"));
    ShadowRule rule = database.shadow();
    assertThat(database.endpoints()).containsExactly("ds");
    assertThat(database.isPassThrough()).isTrue();
    assertThat(rule.shadow("ds")).isEqualTo("test");
    assertThat(rule.algorithms("t_ITEM")).containsExactly(new ShadowAlgorithm.Hint());
    var nines = (ShadowAlgorithm.Column) rule.algorithms("t_order").getFirst();
    assertThat(nines.column()).isEqualTo("user_id");
    assertThat(nines.matches(new SqlValue.Int(99))).isTrue();
    assertThat(nines.matches(new SqlValue.Text("99"))).isTrue();
    assertThat(nines.matches(new SqlValue.Text("199"))).isFalse();
    assertThat(nines.matches(SqlValue.Null.NULL)).isFalse();
    var user = (ShadowAlgorithm.User) rule.algorithms("t_order").getLast();
    assertThat(user.isOf("TESTER")).isTrue();
    assertThat(user.isOf("other")).isFalse();
  }

  /** Statements of the test would go to production there. */
  @Test
  void tablesAreWhereThereAreShadows() {
    String shadow =
        """
        - !SHADOW
          dataSources:
            pair: { productionDataSourceName: ds, shadowDataSourceName: test }
          tables:
            t_order: { dataSourceNames: [pair], shadowAlgorithmNames: [hint] }
            t_all: { dataSourceNames: [pair], shadowAlgorithmNames: [hint] }
          shadowAlgorithms:
            hint: { type: SQL_HINT }
        - !BROADCAST { tables: [t_all] }
        - !SHARDING
          tables:
            t_order: { actualDataNodes: "ds.t_order_0, other.t_order_1", tableStrategy: { none: } }
        """;
    ConfigurationException wrong =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                    .load(
                        List.of(
                            new ConfigurationText("global.yaml", GLOBAL),
                            new ConfigurationText(
                                "database-shop.yaml",
                                HEAD.replace(
                                        "rules:",
                                        "  other: { url: 'jdbc:mysql://127.0.0.1/other', username:"
                                            + " u, password: p }\nrules:")
                                    + shadow))));
    assertThat(wrong.problems().toString())
        .contains("the table `t_order` is on `other`, which has no shadow")
        .contains("the table `t_all` is on `other`, which has no shadow");
  }

  /** A plug-in: whole numbers that a divisor divides. */
  private static final class Multiples implements ShadowMatcherProvider {

    @Override
    public String type() {
      return "multiple_match";
    }

    @Override
    public ShadowMatcher create(Map<String, String> properties) {
      if (!properties.keySet().equals(Set.of("divisor"))) {
        throw new IllegalArgumentException("props: divisor alone is wanted");
      }
      long divisor = Long.parseLong(Objects.requireNonNull(properties.get("divisor")));
      return value -> value.matches("[0-9]{1,18}") && Long.parseLong(value) % divisor == 0;
    }
  }

  private static Configuration loadWithPlugIn(String props) {
    return new ConfigurationLoader(
            new AlgorithmTypes(
                new AlgorithmCatalogue(List.of()),
                new AuditorCatalogue(List.of()),
                new LoadBalancerCatalogue(Set.of(), List.of()),
                new DiscoveryCatalogue(Set.of(), List.of()),
                new EncryptorCatalogue(List.of()),
                new MaskerCatalogue(List.of()),
                new ShadowAlgorithms(List.of(new Multiples())),
                new ListenerCatalogue(List.of()),
                new AccountStores(List.of())),
            new SecretSources(_ -> null, List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", GLOBAL),
                new ConfigurationText(
                    "database-shop.yaml",
                    HEAD
                        + """
                        - !SHADOW
                          dataSources:
                            pair: { productionDataSourceName: ds, shadowDataSourceName: test }
                          tables:
                            t_order: { dataSourceNames: [pair], shadowAlgorithmNames: [tens] }
                          shadowAlgorithms:
                            tens: { type: MULTIPLE_MATCH, props: { %s } }
                        """
                            .formatted(props))));
  }

  @Test
  void plugInsSayWhatValuesMatch() {
    LogicalDatabase database =
        Objects.requireNonNull(
            loadWithPlugIn("column: User_Id, operation: insert, divisor: 10")
                .ruleSet()
                .databases()
                .get("shop"));
    ShadowRule.Table table = Objects.requireNonNull(database.shadow().tables().get("t_order"));
    assertThat(table.algorithms())
        .singleElement()
        .isInstanceOfSatisfying(
            ShadowAlgorithm.Column.class,
            column -> {
              assertThat(column.column()).isEqualTo("user_id");
              assertThat(column.operation()).isEqualTo(ShadowAlgorithm.Operation.INSERT);
              assertThat(column.matches(new SqlValue.Int(40))).isTrue();
              assertThat(column.matches(new SqlValue.Text("41"))).isFalse();
              assertThat(column.matches(SqlValue.Null.NULL)).isFalse();
            });
  }

  @Test
  void problemsOfPlugInsAreTold() {
    for (String[] wrong :
        new String[][] {
          {"column: a, operation: insert, factor: 1", "divisor alone is wanted"},
          {"column: a, operation: replace, divisor: 1", "must be one of insert, update"},
          {"operation: insert, divisor: 1", "column"}
        }) {
      ConfigurationException problems =
          catchThrowableOfType(ConfigurationException.class, () -> loadWithPlugIn(wrong[0]));
      assertThat(problems.problems().toString()).contains(wrong[1]);
    }
    var twice = List.<ShadowMatcherProvider>of(new Multiples(), new Multiples());
    assertThatThrownBy(() -> new ShadowAlgorithms(twice)).hasMessageContaining("MULTIPLE_MATCH");
  }

  @Test
  void valuesAreComparedAsServersWriteThem() {
    var column =
        new ShadowAlgorithm.Column(
            "c", ShadowAlgorithm.Operation.INSERT, Set.of("900", "2026-01-02 03:04:00")::contains);
    assertThat(column.matches(new SqlValue.Floating(900))).isTrue();
    assertThat(column.matches(new SqlValue.Floating(900.5))).isFalse();
    assertThat(column.matches(new SqlValue.DateTime(LocalDateTime.of(2026, 1, 2, 3, 4)))).isTrue();
    assertThat(column.matches(new SqlValue.DateTime(LocalDateTime.of(2026, 1, 2, 3, 4, 5))))
        .isFalse();
  }

  @Test
  void tellsAllThatIsWrong() {
    ConfigurationException wrong =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                load(
                    """
                    - !SINGLE
                      defaultDataSource: test
                    - !SHADOW
                      dataSources:
                        pair: { productionDataSourceName: ds, shadowDataSourceName: test }
                        again: { productionDataSourceName: ds, shadowDataSourceName: tost }
                      tables:
                        t_order: { dataSourceNames: [pare], shadowAlgorithmNames: [nine] }
                        t_item: { dataSourceNames: [pair] }
                      defaultShadowAlgorithmName: nines
                      shadowAlgorithms:
                        nines: { type: REGEX_MATCH, props: { column: c, operation: merge, regex: "(" } }
                        user: { type: USER_MATCH, props: { users: testor } }
                        hint: { type: SQL_HUNT }
                    """));
    assertThat(wrong.problems().toString())
        .contains("the data source `test` is the shadow of `ds`", "place tables on `ds`")
        .contains("there is no data source `tost`")
        .contains("there is no pair of data sources `pare` in !SHADOW")
        .contains("there is no shadow algorithm `nine`", "did you mean `nines`?")
        .contains("must be one of insert, update, delete, select")
        .contains("missing closing ): ")
        .contains("there is no user `testor`")
        .contains("unknown type SQL_HUNT");
  }
}
