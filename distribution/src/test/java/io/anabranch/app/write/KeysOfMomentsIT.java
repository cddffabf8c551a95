package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that are placed by moments: whatever way they are written, they are found by their own. */
@ExtendWith(MariaDbServers.Resolver.class)
class KeysOfMomentsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t_event:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: at, shardingAlgorithmName: eighths } }
        bindingTables:
          - group_0:t_event
        shardingAlgorithms:
          eighths: { type: HASH_MOD, props: { sharding-count: 8 } }
      """;

  private static final List<String> MOMENTS =
      List.of(
          "2024-1-5 3:4:5",
          "2024/01/6 03:04:05",
          "2024-1-7",
          "2024-1-8T3:4:5",
          "2024-01-09 03:04:05.000",
          "2024-01-10 03:04:05.120",
          "2024-01-11 03:04:05.123",
          "2024-01-12 03:04:05.1230",
          "2024-02-01 10:00",
          "2024-02-02T10:00",
          "2024-02-03 10",
          "2024-02-04T03:04:05");

  /** As which rows get other moments, and are found. */
  private static final List<String> USUAL =
      List.of(
          "2024-03-01",
          "2024-03-02 10:00",
          "2024-03-03T10:00",
          "2024-03-04T10:00:05",
          "2024-03-05 1:2");

  @Test
  void onMariaDb(MariaDbServers servers) throws SQLException {
    MariaDbServer server = servers.primaryA();
    for (String schema : List.of("it_moments_0", "it_moments_1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    String database =
        "databaseName: moments\ndataSources:\n"
            + RunningProxy.source("ds_0", server, "it_moments_0")
            + RunningProxy.source("ds_1", server, "it_moments_1")
            + RULES;
    try (RunningProxy proxy = RunningProxy.start(List.of(), database)) {
      rowsAreFound(proxy);
    }
  }

  @Test
  void onMySql() throws SQLException {
    MySqlServer.assumeInstalled();
    try (MySqlServer server = MySqlServer.start("moments")) {
      server.execute(
          "CREATE DATABASE moments_0",
          "CREATE DATABASE moments_1",
          "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
          "GRANT ALL ON *.* TO proxy@'%'");
      String database =
          "databaseName: moments\ndataSources:\n"
              + server.dataSource("ds_0", "moments_0")
              + server.dataSource("ds_1", "moments_1")
              + RULES;
      try (RunningProxy proxy = RunningProxy.start(List.of(), database)) {
        Eventually.holds(
            "the proxy reaches the database", () -> XaFixture.reaches(proxy, "moments"));
        rowsAreFound(proxy);
      }
    }
  }

  private static void rowsAreFound(RunningProxy proxy) throws SQLException {
    try (Connection connection = proxy.connect("moments");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t_event (at DATETIME(3) NOT NULL, n INT, UNIQUE KEY (at))");
      for (String moment : MOMENTS) {
        statement.execute("INSERT INTO t_event VALUES ('" + moment + "', 1)");
      }
      try (PreparedStatement prepared =
          connection.prepareStatement("INSERT INTO t_event VALUES (?, 2)")) {
        prepared.setTimestamp(1, Timestamp.valueOf("2024-01-13 03:04:05.678"));
        prepared.executeUpdate();
      }
      statement.execute(
          "INSERT INTO t_event VALUES ('2024-01-05 03:04:05', 3) ON DUPLICATE KEY UPDATE"
              + " t_event.at = VALUES(t_event.at), at = t_event.at, at = (at), n = 7");
      for (String moment : USUAL) {
        statement.execute("UPDATE t_event SET at = '" + moment + "' WHERE n = 7");
        try (ResultSet found =
            statement.executeQuery("SELECT n FROM t_event WHERE at = '" + moment + "'")) {
          assertThat(found.next()).as(moment).isTrue();
        }
      }
      int rows = 0;
      try (ResultSet all = statement.executeQuery("SELECT CAST(at AS CHAR), n FROM t_event");
          PreparedStatement one =
              connection.prepareStatement("SELECT n FROM t_event WHERE at = ?")) {
        while (all.next()) {
          rows++;
          one.setTimestamp(1, Timestamp.valueOf(all.getString(1)));
          try (ResultSet found = one.executeQuery()) {
            assertThat(found.next()).as(all.getString(1)).isTrue();
            assertThat(found.getInt(1)).as(all.getString(1)).isEqualTo(all.getInt(2));
          }
        }
      }
      assertThat(rows).isEqualTo(MOMENTS.size() + 1);
      try (ResultSet changed = statement.executeQuery("SELECT COUNT(*) FROM t_event WHERE n = 7")) {
        changed.next();
        assertThat(changed.getInt(1)).isEqualTo(1);
      }
    }
  }
}
