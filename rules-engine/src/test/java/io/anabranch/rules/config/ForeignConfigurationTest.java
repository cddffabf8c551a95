package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What files have that were written for ShardingSphere, or for a driver. */
class ForeignConfigurationTest {

  private static Configuration load(String props, String url) {
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText(
                    "global.yaml",
                    "authority: { users: [{ user: a, password: a }] }\nprops:\n" + props.indent(2)),
                new ConfigurationText(
                    "database-shop.yaml",
                    "databaseName: shop\ndataSources:\n  ds_0:\n    url: "
                        + url
                        + "\nrules: []\n")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy-meta-data-collector-enabled: true",
        "system-schema-metadata-assembly-enabled: true",
        "show-process-list-enabled: true",
        "proxy-opentracing-enabled: false",
        "check-duplicate-table-enabled: false",
        "proxy-mysql-default-version: 5.7.22",
        "proxy-backend-driver-type: JDBC",
        "proxy-backend-executor-suitable: OLAP",
        "persist-schemas-to-repository-enabled: true",
        "instance-connection-enabled: false",
        "sql-comment-parse-enabled: true",
        "lock-enabled: true",
        "lock-wait-timeout-milliseconds: 50000",
        "executor-size: 16",
        "acceptor-size: 16",
        "data-source-aggregation-enabled: true",
        "system-schema-metadata-enabled: true",
        "proxy-meta-data-collector-cron: 0 0/1 * * * ?",
        "proxy-instance-type: Proxy",
        "xa-transaction-manager-type: Atomikos",
        "sql-federation-enabled: true",
        "sql-federation-type: ADVANCED",
      })
  void propertiesThatNobodyNeedsAreTold(String property) {
    assertThat(load(property, "jdbc:mysql://h:1/s").notices())
        .singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.keyPath())
                  .isEqualTo("props." + property.substring(0, property.indexOf(':')));
              assertThat(notice.reason()).startsWith("has no effect: ");
            });
  }

  /** What the first files of 5.0 said in `props` changes answers: it is not passed over. */
  @ParameterizedTest
  @CsvSource({
    "proxy-transaction-type: XA,is not where the type of transactions is read from",
    "proxy-transaction-type: BASE,is not where the type of transactions is read from",
    "query-with-cipher-column: false,plain columns beside encrypted ones are not supported",
  })
  void propertiesThatWouldChangeAnswersAreRefused(String property, String reason) {
    ConfigurationException e =
        catchThrowableOfType(
            ConfigurationException.class, () -> load(property, "jdbc:mysql://h:1/s"));
    assertThat(e.problems()).singleElement().extracting("reason").isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy-transaction-type: LOCAL",
        "query-with-cipher-column: true",
        "sql-federation-enabled: false"
      })
  void whatTheyAgreeInIsTaken(String property) {
    assertThat(load(property, "jdbc:mysql://h:1/s").notices()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:mariadb:sequential://h:1/s | not of the form jdbc:mysql://host:port/schema or jdbc:mariadb://host:port/schema
          jdbc:mysql:loadbalance://a:1,b:1/s | not of the form jdbc:mysql://host:port/schema or jdbc:mariadb://host:port/schema
          JDBC:MySQL://h:1/s | not of the form jdbc:mysql://host:port/schema or jdbc:mariadb://host:port/schema
          jdbc:mysql://h:1/a,b | one host per data source
          jdbc:mysql://h:1/s?x=50% | a percent sign in the parameters is not followed by two hexadecimal digits
          """)
  void urlsThatNoPoolTakesAreToldWithTheirPlace(String url, String reason) {
    ConfigurationException e =
        catchThrowableOfType(ConfigurationException.class, () -> load("sql-show: false", url));
    assertThat(e.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.reason()).isEqualTo(reason);
              assertThat(problem.file()).isEqualTo("database-shop.yaml");
              assertThat(problem.line()).isEqualTo(4);
              assertThat(problem.column()).isEqualTo(10);
            });
  }

  @Test
  void driversOfOtherDatabasesAreToldWithTheirPlace() {
    String url = "jdbc:mysql://h:1/s";
    assertThat(load("sql-show: false", url + "\n    driverClassName: com.mysql.cj.jdbc.Driver"))
        .isNotNull();
    ConfigurationException e =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> load("sql-show: false", url + "\n    driverClassName: org.h2.Driver"));
    assertThat(e.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.reason()).isEqualTo("the driver 'org.h2.Driver' is not supported");
              assertThat(problem.line()).isEqualTo(5);
            });
  }

  @Test
  void plainUrlsAreTaken() {
    assertThat(load("sql-show: false", "jdbc:mariadb://h:1/s?x=%41&useSSL=true").notices())
        .isEmpty();
  }
}
