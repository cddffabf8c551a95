package io.anabranch.app.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What SET SESSION TRANSACTION says within a transaction is for those that begin later, on data
 * sources that do not take part yet as well.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LaterTransactionsIT {

  private static final String SCHEMA = "later_transactions";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: four } }
        shardingAlgorithms:
          four: { type: MOD, props: { sharding-count: 4 } }
      """;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, SCHEMA, RULES, List.of());
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN", "SET autocommit = 0", "START TRANSACTION READ WRITE"})
  void readOnly(String begin) throws SQLException {
    boolean isImplied = begin.startsWith("SET");
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String first : List.of("DO 1", "UPDATE t SET n = 2 WHERE id = 1")) {
        for (String sql :
            List.of(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1)",
                begin,
                first,
                "SET SESSION TRANSACTION READ ONLY",
                "UPDATE t SET n = 5 WHERE id = 2",
                "UPDATE t SET n = n + 1",
                "COMMIT",
                isImplied ? "DO 1" : "BEGIN",
                // a failure would begin none
                isImplied ? "SELECT n FROM t WHERE id = 3" : "UPDATE t SET n = 7 WHERE id = 3",
                "SET SESSION TRANSACTION READ WRITE",
                "UPDATE t SET n = 8",
                "COMMIT",
                "UPDATE t SET n = n + 10",
                "SELECT * FROM t ORDER BY id",
                "COMMIT",
                "SET autocommit = 1")) {
          same(proxied, direct, sql);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELEC", "DEALLOCATE PREPARE nope", "SELECT * FROM nowhere", "EXECUTE nope"})
  void whatFailsLeavesItToTheNext(String failing) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String autocommit : List.of("0", "1")) {
        for (String sql :
            List.of(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1)",
                "SET autocommit = " + autocommit,
                "SET TRANSACTION READ ONLY",
                failing,
                "UPDATE t SET n = 5 WHERE id = 1",
                "ROLLBACK",
                "SELECT * FROM t ORDER BY id",
                "COMMIT",
                "SET autocommit = 1")) {
          assertThat(outcome(proxied, sql)).as(sql).isEqualTo(outcome(direct, sql));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET SESSION TRANSACTION READ WRITE",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET @@SESSION.transaction_read_only = 0",
        "SET @x = 1",
      })
  void whatIsSetForTheSessionCountsAtOnce(String later) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String sql :
          List.of(
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
              "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1)",
              "SET SESSION TRANSACTION READ WRITE",
              "SET TRANSACTION READ ONLY",
              later,
              "BEGIN",
              "UPDATE t SET n = 5",
              "COMMIT",
              "SET TRANSACTION READ ONLY",
              later,
              "UPDATE t SET n = n + 1 WHERE id = 2",
              "SELECT * FROM t ORDER BY id")) {
        same(proxied, direct, sql);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "READ UNCOMMITTED"})
  void isolation(String level) throws SQLException {
    List<String> before =
        List.of(
            "DROP TABLE IF EXISTS t",
            "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
            "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1)",
            "BEGIN",
            "SET SESSION TRANSACTION ISOLATION LEVEL " + level);
    List<String> within = List.of("SELECT n FROM t ORDER BY id", "COMMIT", "BEGIN");
    try (Connection proxied = fixture.throughProxy();
        Connection otherProxied = fixture.throughProxy();
        Connection direct = fixture.onPlain();
        Connection otherDirect = fixture.onPlain()) {
      for (String sql : before) {
        same(proxied, direct, sql);
      }
      for (int round = 0; round < 2; round++) {
        for (int look = 0; look < 2; look++) {
          String sql = within.getFirst();
          same(proxied, direct, sql);
          String change = "UPDATE t SET n = n + 10";
          assertThat(answer(otherProxied, change)).isEqualTo(answer(otherDirect, change));
        }
        for (String sql : within) {
          same(proxied, direct, sql);
        }
      }
    }
  }

  private static String outcome(Connection connection, String sql) {
    return Transcript.of(connection, sql).withoutMessage().toString();
  }

  private static void same(Connection proxied, Connection direct, String sql) {
    assertThat(answer(proxied, sql)).as(sql).isEqualTo(answer(direct, sql));
  }

  private static String answer(Connection connection, String sql) {
    return Transcript.of(connection, sql).toString().replace(fixture.plainSchema(), SCHEMA);
  }
}
