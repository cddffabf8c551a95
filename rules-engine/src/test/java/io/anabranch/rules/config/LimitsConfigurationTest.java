package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.protection.Limit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code limits} of {@code global.yaml}. */
class LimitsConfigurationTest {

  private static List<Limit> load(String limits) {
    String global =
        """
        authority:
          users:
          - { user: app, password: a }
          - { user: batch, password: a }
        limits:
        """
            + limits.indent(2);
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
        .limits();
  }

  @Test
  void everythingSaid() {
    assertThat(
            load(
                """
                users:
                  each: user
                  exceptUsers: [batch]
                  maxConnections: 20
                  connectRate: 50
                  statementsAtATime: 10
                  queue: 100
                  queueMilliseconds: 500
                  statementRate: 1000
                  statementBurst: 2000
                  transactionMilliseconds: 60000
                  idleInTransactionMilliseconds: 5000
                  scope: cluster
                shop: { users: [app], databases: [SHOP], statementsAtATime: 3 }
                report: { each: digest, digests: [0123456789ABCDEF0123456789abcdef], statementRate: 2 }
                """))
        .containsExactly(
            new Limit(
                "users",
                Limit.Each.USER,
                Set.of(),
                Set.of("batch"),
                Set.of(),
                Set.of(),
                new Limit.Connections(20, new Limit.Rate(50, 50)),
                new Limit.Statements(10, 100, 500, new Limit.Rate(1000, 2000)),
                new Limit.Transactions(60_000, 5000),
                Limit.Scope.CLUSTER),
            new Limit(
                "shop",
                Limit.Each.NONE,
                Set.of("app"),
                Set.of(),
                Set.of("shop"),
                Set.of(),
                Limit.Connections.UNLIMITED,
                new Limit.Statements(3, 0, 10_000, Limit.Rate.UNLIMITED),
                Limit.Transactions.UNLIMITED,
                Limit.Scope.PROXY),
            new Limit(
                "report",
                Limit.Each.DIGEST,
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of("0123456789abcdef0123456789abcdef"),
                Limit.Connections.UNLIMITED,
                new Limit.Statements(0, 0, 10_000, new Limit.Rate(2, 2)),
                Limit.Transactions.UNLIMITED,
                Limit.Scope.PROXY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: { each: user }                                      | limits nothing
          a: { each: table, statementRate: 1 }                   | there is no share of each 'table'
          a: { statementRate: 0 }                                | 1
          a: { queue: 5, statementRate: 1 }                      | has no effect without `statementsAtATime`
          a: { statementBurst: 5, maxConnections: 1 }            | has no effect without `statementRate`
          a: { digests: [abc], statementRate: 1 }                | is no digest: abc
          a: { each: digest, statementRate: 1 }                  | has no effect without `digests`
          a: { digests: [0123456789abcdef0123456789abcdef], maxConnections: 1 } | is not of statements
          a: { users: [ap], statementRate: 1 }                   | there is no user ap
          a: { databases: [shops], statementRate: 1 }            | there is no database shops
          a: { users: [], statementRate: 1 }                     | names nobody
          a: { databases: [shop], maxConnections: 1 }            | connections change their databases
          a: { each: database, connectRate: 1 }                  | connections change their databases
          'a b: { statementRate: 1 }'                            | a limit's name has 1 to 64 letters
          a: { statementsRate: 1 }                               | statementsRate
          """)
  void badOnes(String limits, String expected) {
    var thrown = catchThrowableOfType(ConfigurationException.class, () -> load(limits));
    assertThat(thrown.problems())
        .extracting(Problem::toString)
        .anySatisfy(problem -> assertThat(problem).contains("global.yaml:6:").contains(expected));
  }
}
