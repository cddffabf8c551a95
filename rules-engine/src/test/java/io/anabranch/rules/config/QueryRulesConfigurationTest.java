package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.protection.Priority;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.QueryRule.Mirror;
import io.anabranch.rules.model.protection.QueryRule.Route;
import io.anabranch.rules.model.protection.StatementTrait;
import io.anabranch.rules.model.protection.TextPattern;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code queryRules} of {@code global.yaml}. */
class QueryRulesConfigurationTest {

  private static List<QueryRule> load(String rules) {
    String global =
        """
        authority:
          users:
          - { user: app, password: a }
          - { user: batch, password: a }
        queryRules:
        """
            + rules;
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", global),
                new ConfigurationText(
                    "database-shop.yaml",
                    """
                    databaseName: Shop
                    dataSources:
                      ds_0: { url: "jdbc:mysql://127.0.0.1:3306/shop" }
                    rules: []
                    """)))
        .ruleSet()
        .protection()
        .rules();
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                """
                - name: all
                  match:
                    digests: [00112233445566778899AABBCCDDEEFF]
                    digestPattern: "^SELECT .* FROM orders"
                    pattern: "sleep"
                    kinds: [select, LOAD DATA]
                    tables: [Orders, shop.Items]
                    databases: [SHOP]
                    users: [app]
                    exceptUsers: [batch]
                    networks: [10.0.0.0/8]
                    hints: { CLASS_NAME: nightly, traced: }
                    withoutWhere: true
                    joinWithoutCondition: true
                    orderByWithoutLimit: true
                    injection: true
                    dataSourcesAbove: 2
                  route: ds_0
                  milliseconds: 500
                  maxRows: 100
                  maxBytes: 2000
                  maxDataSources: 3
                  statementsAtATime: 4
                  tag: reports/nightly
                  mirror: ds_0
                  mirrorWrites: true
                  cacheMilliseconds: 1500
                  merge: true
                  priority: low
                  log: true
                  logOnly: true
                  next: true
                """))
        .containsExactly(
            new QueryRule(
                "all",
                new QueryRule.Matching(
                    Set.of("00112233445566778899aabbccddeeff"),
                    TextPattern.of("^SELECT .* FROM orders"),
                    TextPattern.of("sleep"),
                    Set.of(StatementKind.SELECT, StatementKind.LOAD_DATA),
                    Set.of("orders", "shop.items"),
                    Set.of("shop"),
                    Set.of("app"),
                    Set.of("batch"),
                    List.of("10.0.0.0/8"),
                    Map.of("classname", "nightly", "traced", ""),
                    Set.of(StatementTrait.values()),
                    2),
                new QueryRule.Actions(
                    null,
                    null,
                    new Route.DataSource("ds_0"),
                    500,
                    100,
                    2000,
                    3,
                    4,
                    "reports/nightly",
                    new Mirror(null, "ds_0", true),
                    1500,
                    true,
                    Priority.LOW,
                    true),
                true,
                true));
  }

  @Test
  void whatIsPutInNamesGroups() {
    QueryRule rule =
        load("""
                - { name: a, match: { pattern: "orders_(?P<year>\\\\d+) (x)" }, rewrite: "\\\\$ ${year}$12$0" }
                """)
            .getFirst();
    TextPattern pattern = Objects.requireNonNull(rule.matching().pattern());
    assertThat(pattern.replaceIn("a ORDERS_7 x.", Objects.requireNonNull(rule.actions().rewrite())))
        .isEqualTo("a $ 772ORDERS_7 x.");
  }

  @Test
  void guardsAreReadyMade() {
    List<QueryRule> rules =
        load(
            """
            - { name: a, guard: write_without_where }
            - { name: b, guard: SCATTER, match: { users: [app], dataSourcesAbove: 4 }, deny: too wide }
            - { name: c, guard: WRITE_WITHOUT_WHERE, match: { kinds: [DELETE] } }
            """);
    assertThat(rules.get(0).matching().kinds())
        .containsExactlyInAnyOrder(StatementKind.UPDATE, StatementKind.DELETE);
    assertThat(rules.get(0).matching().traits()).containsExactly(StatementTrait.WITHOUT_WHERE);
    assertThat(rules.get(0).actions().deny()).isEqualTo("UPDATE and DELETE need a WHERE");
    assertThat(rules.get(1).matching().moreThanDataSources()).isEqualTo(4);
    assertThat(rules.get(1).matching().users()).containsExactly("app");
    assertThat(rules.get(1).actions().deny()).isEqualTo("too wide");
    assertThat(rules.get(2).matching().kinds()).containsExactly(StatementKind.DELETE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "- { match: {}, deny: x } | global.yaml:6:3 | the key `name` is missing",
        "- { name: a b, match: {}, deny: x } | global.yaml:6:3 | a rule's name has",
        "- { name: a, deny: x } | global.yaml:6:3 | `match: {}` for all",
        "- { name: a, match: {} } | global.yaml:6:3 | does nothing",
        "- { name: a, match: {}, dney: x } | global.yaml:6:25 | did you mean `deny`?",
        "- { name: a, match: { user: [app] }, deny: x } | global.yaml:6:23 | did you mean `users`?",
        "- { name: a, match: { users: [ap] }, deny: x } | global.yaml:6:31 | did you mean `app`?",
        "- { name: a, match: { databases: [shpo] }, deny: x } | global.yaml:6:35 | did you mean `Shop`?",
        "- { name: a, match: { kinds: [SELCT] }, deny: x } | global.yaml:6:31 | did you mean `SELECT`?",
        "- { name: a, match: { kinds: [COMMIT] }, deny: x } | global.yaml:6:31 | there is no kind COMMIT",
        "- { name: a, match: { kinds: [] }, deny: x } | global.yaml:6:30 | names nothing",
        "- { name: a, match: { digests: [12] }, deny: x } | global.yaml:6:33 | anabranch.digests",
        "- { name: a, match: { pattern: '(a' }, deny: x } | global.yaml:6:32 | missing closing )",
        "- { name: a, match: { pattern: '(a)\\1' }, deny: x } | global.yaml:6:32 | no back references",
        "- { name: a, match: { networks: [here] }, deny: x } | global.yaml:6:34 | 10.1.0.0/16",
        "- { name: a, match: {}, route: ds_1 } | global.yaml:6:32 | did you mean `ds_0`?",
        "- { name: a, match: {}, maxRows: 0 } | global.yaml:6:34 | must be at least 1",
        "- { name: a, match: {}, tag: 'a b' } | global.yaml:6:3 | a tag has",
        "- { name: a, match: {}, deny: x, next: true } | global.yaml:6:3 | `next` has no effect",
        "- { name: a, guard: SCATER } | global.yaml:6:21 | did you mean `SCATTER`?",
        "- { name: a, match: {}, rewrite: y } | global.yaml:6:34 | add `pattern` to `match`",
        "- { name: a, match: { pattern: x }, rewrite: 'a$1' } | global.yaml:6:46 | the pattern has no group $1",
        "- { name: a, match: { pattern: '(x)' }, rewrite: '$1 ${b}' } | global.yaml:6:50 | the pattern has no group ${b}",
        "- { name: a, match: { pattern: x }, rewrite: 'a $' } | global.yaml:6:46 | the number of a group, or its name",
        "- { name: a, match: { pattern: x }, rewrite: 'a \\' } | global.yaml:6:46 | a backslash takes the next character",
        "- { name: a, match: { pattern: x, dataSourcesAbove: 1 }, rewrite: y } | global.yaml:6:67 | leave out `dataSourcesAbove`",
        "- { name: a, match: { pattern: x }, rewrite: y, tag: z } | global.yaml:6:46 | a rule that rewrites does nothing else",
        "- { name: a, match: {}, mirror: ds_1 } | global.yaml:6:33 | did you mean `ds_0`?",
        "- { name: a, match: {}, mirror: shop.ds_0 } | global.yaml:6:33 | did you mean `Shop.ds_0`?",
        "- { name: a, match: {}, mirror: replica } | global.yaml:6:33 | no database has a data source replica",
        "- { name: a, match: {}, deny: x, mirrorWrites: true } | global.yaml:6:3 | say where writes go as well",
        "- { name: a, match: {}, cacheMilliseconds: 0 } | global.yaml:6:44 | must be from 1 to 604800000",
        "- { name: a, match: {}, cacheMilliseconds: 9, route: replica } | global.yaml:6:3 | leave out `route`"
      })
  void whatCannotBe(String rule, String place, String told) {
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, () -> load(rule));
    assertThat(refused.problems().stream().map(Problem::toString))
        .anySatisfy(problem -> assertThat(problem).startsWith(place).contains(told));
  }

  @Test
  void namesAreThereOnce() {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> load("- { name: a, match: {}, log: true }\n- { name: a, match: {}, log: true }"));
    assertThat((Throwable) refused)
        .hasMessageContaining("global.yaml:7:3")
        .hasMessageContaining("the rule a is there twice");
  }
}
