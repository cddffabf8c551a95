package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What query rules send to a second data source, as well as where it goes anyway. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class MirrorIT {

  private static final String PLAIN = "it_mirrored";
  private static final String SHARDED = "it_mirrored_sharded";
  static final List<String> LAYOUTS = List.of(PLAIN, SHARDED);
  private static final String BINARY = "useServerPrepStmts=true";
  private static final String TEXT = "useServerPrepStmts=false";
  private static final String MIRROR = "it_mirror";

  @TempDir static Path temporary;
  private static DatabaseServer server;
  private static DatabaseServer other;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    other = servers.primaryB();
    for (String schema : List.of(PLAIN, "it_mirrored_0", "it_mirrored_1")) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t (id INT PRIMARY KEY, v VARCHAR(100) CHARACTER SET utf8mb4)"
              .formatted(schema),
          "CREATE TABLE %s.r LIKE %s.t".formatted(schema, schema));
    }
    other.execute(
        "DROP DATABASE IF EXISTS " + MIRROR,
        "CREATE DATABASE " + MIRROR,
        "CREATE TABLE it_mirror.t (id INT PRIMARY KEY, v VARCHAR(100) CHARACTER SET utf8mb4)");
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        queryRules:
        - { name: all, match: { tables: [t] }, mirror: it_mirror.ds, mirrorWrites: true, next: true }
        - { name: reads, match: { tables: [r], kinds: [SELECT, INSERT] }, mirror: it_mirror.ds, next: true }
        - { name: trial, match: { tables: [t] }, mirror: it_mirror.ds, logOnly: true }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    folder.write(
        "database-0.yaml",
        "databaseName: it_mirrored\ndataSources:\n"
            + ReloadFolder.source("ds", server, PLAIN, 10)
            + "rules: []\n");
    folder.write(
        "database-1.yaml",
        "databaseName: it_mirrored_sharded\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_mirrored_0", 10)
            + ReloadFolder.source("ds_1", server, "it_mirrored_1", 10)
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_${0..1}.t
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                r:
                  actualDataNodes: ds_${0..1}.r
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              shardingAlgorithms:
                two: { type: MOD, props: { sharding-count: 2 } }
            """);
    folder.write(
        "database-2.yaml",
        "databaseName: it_mirror\ndataSources:\n"
            + ReloadFolder.source("ds", other, MIRROR, 10)
            + "rules: []\n");
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @BeforeEach
  void tables() throws SQLException {
    for (String schema : List.of(PLAIN, "it_mirrored_0", "it_mirrored_1")) {
      server.execute("DELETE FROM %s.t".formatted(schema), "DELETE FROM %s.r".formatted(schema));
    }
    other.execute("DELETE FROM it_mirror.t");
    try (Connection admin = proxy.connect(PLAIN);
        Statement statement = admin.createStatement()) {
      statement.execute("TRUNCATE anabranch.rule_hits");
    }
  }

  static Stream<Arguments> layoutsAndProtocols() {
    return LAYOUTS.stream()
        .flatMap(layout -> Stream.of(TEXT, BINARY).map(each -> Arguments.of(layout, each)));
  }

  private static Connection connect(String layout, String protocol) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy.port(), layout, RunningProxy.USER, RunningProxy.PASSWORD, protocol);
  }

  private static String rows() {
    try (Connection direct = other.connect(MIRROR)) {
      return String.join(
          " ", ReloadFolder.column(direct, "SELECT CONCAT(id, '=', v) FROM t ORDER BY id"));
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private static long count(String rule, String column) {
    try (Connection admin = proxy.connect(PLAIN)) {
      return Long.parseLong(
          ReloadFolder.one(
              admin,
              "SELECT %s FROM anabranch.rule_hits WHERE rule = '%s'".formatted(column, rule)));
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private static void run(Connection client, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void writesArriveInTheirOrder(String layout, String protocol) throws SQLException {
    try (Connection client = connect(layout, protocol)) {
      run(client, "SET time_zone = '+05:00', sql_mode = 'ANSI_QUOTES'");
      run(client, "INSERT INTO t VALUES (?, ?), (2, 'ü')", 1, "é");
      for (int i = 0; i < 20; i++) {
        run(client, "UPDATE t SET v = CONCAT(v, ?) WHERE \"id\" = 1", Integer.toString(i % 10));
      }
      run(client, "DELETE FROM t WHERE id = ?", 2);
    }
    Eventually.nothingIsLeft(
        "the mirror's rows", () -> rows().equals("1=é01234567890123456789") ? "" : rows());
    Eventually.holds("all are counted", () -> count("all", "mirrored") == 22);
    assertThat(count("all", "mirror_errors")).isZero();
    assertThat(count("trial", "mirrored")).isZero();
    assertThat(count("trial", "hits")).isEqualTo(22);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void whatFailsOrIsOfATransactionStaysHere(String layout, String protocol) throws SQLException {
    try (Connection client = connect(layout, protocol)) {
      run(client, "INSERT INTO t VALUES (1, 'a')");
      assertThat(catchThrowable(() -> run(client, "INSERT INTO t VALUES (1, 'b')")))
          .isInstanceOf(SQLException.class);
      client.setAutoCommit(false);
      run(client, "INSERT INTO t VALUES (3, 'c')");
      run(client, "SELECT * FROM t");
      client.commit();
      client.setAutoCommit(true);
      run(client, "SELECT id FROM t WHERE id = ? FOR UPDATE", 1);
      run(client, "INSERT INTO t VALUES (5, 'e')");
    }
    Eventually.nothingIsLeft("the mirror's rows", () -> rows().equals("1=a 5=e") ? "" : rows());
    Eventually.holds("all are counted", () -> count("all", "mirrored") == 2);
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void whatTheMirrorSaysIsNobodys(String layout) throws SQLException {
    try (Connection client = connect(layout, TEXT);
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO r VALUES (1, 'here')");
      // the mirror has no such table
      try (ResultSet rows = statement.executeQuery("SELECT v FROM r")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("here");
      }
      statement.execute("INSERT INTO t VALUES (1, 'here')");
      Eventually.nothingIsLeft("the mirror's rows", () -> rows().equals("1=here") ? "" : rows());
      other.execute("UPDATE it_mirror.t SET v = 'there'");
      assertThat(ReloadFolder.one(client, "SELECT v FROM t")).isEqualTo("here");
      assertThat(statement.executeUpdate("UPDATE t SET v = 'x' WHERE v = 'here'")).isEqualTo(1);
    }
    // not in the midst of what comes next
    Eventually.holds("all have run there", () -> count("all", "mirrored") == 3);
    // INSERT INTO r is no read
    Eventually.holds("the read has failed", () -> count("reads", "mirror_errors") == 1);
    assertThat(count("reads", "mirrored")).isZero();
  }

  @Test
  void nobodyWaitsForAMirrorThatStands() throws Exception {
    try (Connection locking = other.connect(MIRROR);
        Statement lock = locking.createStatement();
        Connection client = connect(PLAIN, TEXT);
        Statement statement = client.createStatement()) {
      lock.execute("LOCK TABLES t WRITE");
      statement.execute("INSERT INTO t VALUES (1, '')");
      for (int i = 0; i < 1100; i++) {
        assertThat(statement.executeUpdate("UPDATE t SET v = '" + i + "'")).isEqualTo(1);
      }
      assertThat(count("all", "mirror_dropped")).isBetween(99L, 101L);
      lock.execute("UNLOCK TABLES");
      Eventually.holds(
          "what waited has run",
          () -> count("all", "mirrored") + count("all", "mirror_dropped") == 1101);
      assertThat(count("all", "mirror_errors")).isZero();
    }
  }
}
