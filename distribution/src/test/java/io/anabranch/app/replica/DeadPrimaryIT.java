package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads that only the primary may answer, while nothing listens where it was and nobody else can be
 * the primary: they fail, and are not tried for ever.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DeadPrimaryIT {

  private static final String SCHEMA = "it_dead_primary";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (id INT PRIMARY KEY, v INT)",
        "INSERT INTO " + SCHEMA + ".t VALUES (1, 1), (2, 2)");
    String dead = ":" + FreePorts.one() + "/";
    var sources = new StringBuilder();
    for (String shard : List.of("0", "1")) {
      String writer = RunningProxy.source("w" + shard, server, SCHEMA);
      sources
          .append(writer.replace(":" + server.port() + "/", dead))
          .append(RunningProxy.source("r" + shard, server, SCHEMA));
    }
    String groups =
        """
        rules:
        - !READWRITE_SPLITTING
          dataSourceGroups:
            g0: { writeDataSourceName: w0, readDataSourceNames: [r0] }
            g1: { writeDataSourceName: w1, readDataSourceNames: [r1] }
        - !SHARDING
          tables:
            t:
              actualDataNodes: g${0..1}.t
              databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
          shardingAlgorithms:
            m: { type: MOD, props: { sharding-count: 2 } }
        """;
    proxy =
        RunningProxy.start(
            List.of(), "databaseName: " + SCHEMA + "\ndataSources:\n" + sources + groups);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static boolean canConnect() {
    try (Connection client = proxy.connect(SCHEMA)) {
      return client.isValid(5);
    } catch (SQLException notYet) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM t WHERE id = 1",
        "SELECT v FROM t WHERE id = 1 FOR UPDATE",
        "SELECT SUM(v) FROM t",
        "SELECT a.v FROM t a JOIN t b ON a.id = b.id + 1",
        "UPDATE t SET v = 2 WHERE id = 1",
      })
  void theClientIsToldSo(String sql) throws SQLException {
    Eventually.holds("the driver's SET runs on a replica", DeadPrimaryIT::canConnect);
    try (Connection client = proxy.connect(SCHEMA)) {
      assertThat(Transcript.of(client, "SELECT COUNT(*) FROM t").head()).doesNotStartWith("error");
      assertThat(Transcript.of(client, "SET anabranch_read_consistency = 'GLOBAL'").head())
          .doesNotStartWith("error");
      assertThat(Transcript.of(client, sql).head()).startsWith("error 1429").contains("AB3001");
      assertThat(Transcript.of(client, "SET anabranch_read_consistency = 'EVENTUAL'").head())
          .doesNotStartWith("error");
      assertThat(Transcript.of(client, "SELECT COUNT(*) FROM t").head()).doesNotStartWith("error");
    }
  }
}
