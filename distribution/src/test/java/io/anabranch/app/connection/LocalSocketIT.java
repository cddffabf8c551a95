package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data sources by the files of their sockets; their URLs' ports are nobody's. */
@ExtendWith(MariaDbServers.Resolver.class)
class LocalSocketIT {

  private static final String SHARDED =
      """
      rules:
      - !SHARDING
        tables:
          t:
            actualDataNodes: ds_${0..1}.t
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
        shardingAlgorithms:
          ds: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
      """;

  @TempDir private static Path directory;

  private static String sources;
  private static MariaDbServer server;

  @BeforeAll
  static void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryB();
    var made = new StringBuilder("dataSources:\n");
    for (int i = 0; i < 2; i++) {
      MariaDbServer each = i == 0 ? servers.primaryA() : servers.primaryB();
      each.execute(
          "DROP DATABASE IF EXISTS it_socket",
          "CREATE DATABASE it_socket",
          "CREATE TABLE it_socket.t (id INT PRIMARY KEY, b LONGTEXT)");
      // a socket's path must be short, the data may lie deep
      Path link = directory.resolve("s" + i);
      Files.createSymbolicLink(link, Path.of(each.queryOne("SELECT @@datadir")));
      made.append(
          "  ds_%d: { url: \"jdbc:mariadb://localhost:1/it_socket?localSocket=%s/server.sock\", username: %s, password: %s, maxPoolSize: 5 }\n"
              .formatted(i, link, MariaDbServer.USER, MariaDbServer.PASSWORD));
    }
    sources = made.toString();
  }

  @AfterAll
  static void end(MariaDbServers servers) {
    for (MariaDbServer each : List.of(servers.primaryA(), servers.primaryB())) {
      each.execute("DROP DATABASE it_socket");
    }
  }

  private static RunningProxy start(String transport) {
    return RunningProxy.start(
        List.of("proxy-transport: " + transport), "databaseName: sockets\n" + sources + SHARDED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "epoll"})
  void serve(String transport) throws SQLException {
    try (RunningProxy proxy = start(transport);
        Connection client = proxy.connect("sockets", "useServerPrepStmts=true");
        Statement statement = client.createStatement()) {
      statement.execute("DELETE FROM t");
      client.setAutoCommit(false);
      try (PreparedStatement insert = client.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
        for (int id = 0; id < 6; id++) {
          insert.setInt(1, id);
          insert.setString(2, "x".repeat(id * 1_000_000));
          insert.executeUpdate();
        }
      }
      client.commit();
      client.setAutoCommit(true);
      try (ResultSet rows = statement.executeQuery("SELECT id, b FROM t ORDER BY id")) {
        for (int id = 0; id < 6; id++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(2)).hasSize(id * 1_000_000);
        }
      }
      // a connection by TCP has its port there
      assertThat(
              server.queryOne(
                  "SELECT GROUP_CONCAT(DISTINCT HOST) FROM information_schema.processlist"
                      + " WHERE DB = 'it_socket'"))
          .isEqualTo("localhost");
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.execute("SELECT SLEEP(20) FROM t WHERE id = 1"))
          .isInstanceOf(SQLException.class);
      statement.setQueryTimeout(0);
      assertThat(one(statement, "SELECT COUNT(*) FROM t")).isEqualTo("6");
    }
  }

  /** What asks for a member's health has connections of its own, by the same file. */
  @Test
  void groupsKnowTheirHealth() throws SQLException {
    String group =
        "databaseName: grouped\n"
            + sources
            + """
            rules:
            - !READWRITE_SPLITTING
              dataSourceGroups:
                rw: { writeDataSourceName: ds_0, readDataSourceNames: [ ds_1 ] }
            """;
    try (RunningProxy proxy = RunningProxy.start(List.of(), group);
        Connection client = proxy.connect("grouped");
        Statement statement = client.createStatement()) {
      Eventually.holds(
          "the replica's place is known",
          () -> {
            try (ResultSet rows =
                statement.executeQuery("SHOW STATUS FROM READWRITE_SPLITTING RULES")) {
              var states = new StringBuilder();
              while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                  states.append(rows.getString(i)).append('|');
                }
              }
              return states.toString().contains("ONLINE");
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
      statement.execute("REPLACE INTO t VALUES (7, 'seven')");
    }
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
