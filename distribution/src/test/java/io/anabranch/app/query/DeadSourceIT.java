package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first data source of a sharded database is down: what the others know they tell. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class DeadSourceIT {

  private static final int UNREACHABLE = 1429;

  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    servers
        .primaryB()
        .execute(
            "DROP DATABASE IF EXISTS it_dead",
            "CREATE DATABASE it_dead",
            "CREATE TABLE it_dead.t (id INT PRIMARY KEY, b VARCHAR(20))",
            "INSERT INTO it_dead.t VALUES (1, 'one'), (3, 'three')");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: dead\ndataSources:\n"
                + "  ds_0: { url: \"jdbc:mysql://127.0.0.1:%d/it_dead\", username: %s, password: %s, connectionTimeoutMilliseconds: 3000 }\n"
                    .formatted(FreePorts.one(), MariaDbServer.USER, MariaDbServer.PASSWORD)
                + RunningProxy.source("ds_1", servers.primaryB(), "it_dead")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
                  shardingAlgorithms:
                    ds: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
                """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NAMES utf8mb4",
        "SET SESSION sql_mode = 'ANSI_QUOTES'",
        "SET @v = 7",
        "SET autocommit = 0",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SELECT 1",
        "SELECT @@version, @@sql_mode, @v",
        "SELECT NOW(), DATABASE(), CONNECTION_ID(), USER()",
        "SHOW VARIABLES LIKE 'sql_mode'",
        "SHOW VARIABLES LIKE 'max_allowed_packet'",
        "SHOW GLOBAL VARIABLES LIKE 'max_conn%'",
        "SHOW COLLATION LIKE 'utf8mb4_bin'",
        "SHOW CHARACTER SET",
        "SHOW ENGINES",
        "SHOW PLUGINS",
        "SHOW WARNINGS",
        "SHOW DATABASES",
        "SHOW PROCESSLIST",
        "SHOW STATUS LIKE 'Uptime'",
        "SHOW COLUMNS FROM t",
        "DESCRIBE t",
        "SHOW CREATE TABLE t",
        "SELECT b FROM t WHERE id = 3",
        "SELECT b FROM t WHERE id IN (1, 3) ORDER BY id",
        "INSERT INTO t VALUES (5, 'five') ON DUPLICATE KEY UPDATE b = 'five'",
        "BEGIN",
        "DO 1",
      })
  void whatAnotherKnows(String sql) throws SQLException {
    try (Connection connection = proxy.connect("dead")) {
      assertThat(Transcript.of(connection, sql).head()).doesNotStartWith("error");
    }
  }

  @Test
  void whatNeedsAllIsRefusedAndTheSessionLives() throws SQLException {
    try (Connection connection = proxy.connect("dead")) {
      for (String sql :
          new String[] {"SHOW TABLES", "SHOW INDEX FROM t", "SELECT COUNT(*) FROM t"}) {
        assertThat(Transcript.of(connection, sql).head()).startsWith("error " + UNREACHABLE);
      }
      assertThat(Transcript.of(connection, "SELECT 1").isError()).isFalse();
    }
  }
}
