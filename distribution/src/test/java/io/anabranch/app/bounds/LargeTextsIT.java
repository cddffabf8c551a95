package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What texts become while they are read and planned, and what is left of them afterwards, against a
 * process with a heap of 128 MB: each of these has ended one.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class LargeTextsIT {

  private static final int SESSIONS = 40;
  private static final int NO_MEMORY = 1037;
  private static final int TIMES = 300;
  private static final int MEGABYTE = 1_000_000;

  @TempDir private static Path directory;

  private static ProxyProcess proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute(
          "DROP DATABASE IF EXISTS it_texts",
          "CREATE DATABASE it_texts",
          "CREATE TABLE it_texts.t (id INT PRIMARY KEY, a INT, b LONGTEXT)");
    }
    proxy =
        ProxyProcess.start(
            "texts",
            directory,
            "",
            "databaseName: texts\ndataSources:\n"
                + RunningProxy.source("ds_0", servers.primaryA(), "it_texts")
                + RunningProxy.source("ds_1", servers.primaryB(), "it_texts")
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

  @AfterEach
  void itLives() throws SQLException {
    try (Connection other = proxy.connect("texts");
        Statement statement = other.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
        assertThat(rows.next()).isTrue();
      }
      statement.execute("DELETE FROM t");
    }
    assertThat(proxy.isAlive()).isTrue();
    assertThat(proxy.output()).doesNotContain("OutOfMemory").doesNotContain("AB9001");
  }

  private static Connection hog() throws SQLException {
    return hog(RunningProxy.Driver.MARIADB);
  }

  private static Connection hog(RunningProxy.Driver driver, String... options) throws SQLException {
    return driver.connect(
        proxy.port(), "texts", ProxyProcess.HOG, ProxyProcess.HOG_PASSWORD, options);
  }

  private static void close(List<Connection> all) throws SQLException {
    for (Connection each : all) {
      each.close();
    }
  }

  /** The error's number; 0: there is none. */
  private static int run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static String repeated(String item, int bytes) {
    return item.repeat(bytes / item.length());
  }

  /** A short text may name a long value any number of times. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM t WHERE %s",
        "SELECT COUNT(*) FROM t WHERE a = 1 AND (%s)",
        "UPDATE t SET a = 1 WHERE %s",
        "DELETE FROM t WHERE %s",
        "INSERT INTO t (id, b) SELECT id + 1, b FROM t WHERE %s"
      })
  void valuesOfVariablesAreCountedEachTimeTheyAreWritten(String form) throws SQLException {
    String condition = String.join(" OR ", Collections.nCopies(TIMES, "id = @v"));
    String markers = String.join(" OR ", Collections.nCopies(TIMES, "b = ?"));
    String variables = String.join(", ", Collections.nCopies(TIMES, "@v"));
    try (Connection session = hog()) {
      assertThat(run(session, "SET @v = REPEAT('a', 500000)")).isZero();
      assertThat(run(session, form.formatted(condition))).isIn(1301, NO_MEMORY);
      assertThat(run(session, "PREPARE s FROM '" + form.formatted(markers) + "'")).isZero();
      assertThat(run(session, "EXECUTE s USING " + variables)).isIn(1301, NO_MEMORY);
      assertThat(run(session, "SET @v = REPEAT('7', 3)")).isZero();
      assertThat(run(session, form.formatted(condition))).isZero();
      assertThat(run(session, "EXECUTE s USING " + variables)).isZero();
    }
  }

  @Test
  void sessionsKeepNoTextsOfStatementsThatHaveEnded() throws SQLException {
    var idle = new ArrayList<Connection>();
    try {
      for (int i = 0; i < SESSIONS; i++) {
        Connection session = hog();
        idle.add(session);
        assertThat(run(session, "SELECT LENGTH('" + "x".repeat(5 * MEGABYTE) + "')")).isZero();
        assertThat(run(session, "SELECT LENGTH('" + "x".repeat(5 * MEGABYTE) + "') FROM none"))
            .isEqualTo(1146);
      }
    } finally {
      close(idle);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DO %1,%",
        "SELECT COUNT(*) FROM t WHERE id IN (%1,%)",
        "SELECT COUNT(*) FROM t WHERE id IN (%a,%)",
        "SELECT COUNT(*) FROM t WHERE b IN (%'',%)",
        "SELECT %1,%",
        "SELECT a FROM t GROUP BY %a,%",
        "SELECT a FROM t WHERE id = 1 %OR a=1 %",
        "INSERT IGNORE INTO t (id) VALUES %(1),%",
        "REPLACE INTO t (id) VALUES %(1),%",
        "SET @a = %1+%",
        "CALL nothing(%'',%)",
        "EXPLAIN ROUTE SELECT a FROM t WHERE id IN (%1,%)",
        "PREPARE s FROM 'SELECT a FROM t WHERE id IN (%1,%)'",
        "EXECUTE IMMEDIATE 'SELECT a FROM t WHERE id IN (%1,%)'",
        "WITH %a,% SELECT 1",
        "SHOW TABLES LIKE %1,%",
      })
  void literalsWithoutEnd(String form) throws SQLException {
    String[] parts = form.split("%", -1);
    for (int megabytes : new int[] {1, 4, 15}) {
      String last = parts[1].replaceAll("[,+]$", "");
      String sql = parts[0] + repeated(parts[1], megabytes * MEGABYTE) + last + parts[2];
      try (Connection session = hog()) {
        int error = run(session, sql);
        if (megabytes == 15) {
          assertThat(error).isNotZero();
        }
        assertThat(run(session, "SELECT 1")).isZero();
      }
    }
  }

  @Test
  void preparedStatementsOfManyMarkers() throws SQLException {
    var sessions = new ArrayList<Connection>();
    String sql = "SELECT ?" + ", ?".repeat(60_000);
    try {
      for (int i = 0; i < SESSIONS; i++) {
        Connection session = hog(RunningProxy.Driver.MARIADB, "useServerPrepStmts=true");
        sessions.add(session);
        try {
          session.prepareStatement(sql);
        } catch (SQLException e) {
          assertThat(e.getErrorCode()).isEqualTo(NO_MEMORY);
        }
      }
    } finally {
      close(sessions);
    }
  }

  @Test
  void manyRowsOfOneInsert() throws SQLException {
    String rows =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "(" + i + "," + i + ")")
            .collect(Collectors.joining(","));
    try (Connection session = hog();
        Statement statement = session.createStatement()) {
      assertThat(statement.executeUpdate("INSERT INTO t (id, a) VALUES " + rows)).isEqualTo(30_000);
      assertThat(
              run(
                  session,
                  "INSERT IGNORE INTO t (id, a) VALUES " + (rows + ",").repeat(6) + "(1,1)"))
          .isEqualTo(NO_MEMORY);
    }
  }

  @Test
  void cursorsOverLongRowsKeepThemInFiles() throws SQLException {
    var sessions = new ArrayList<Connection>();
    var open = new ArrayList<PreparedStatement>();
    try (Connection writer = proxy.connect("texts")) {
      for (int i = 0; i < 4; i++) {
        assertThat(run(writer, "INSERT INTO t VALUES (" + i + ", 1, REPEAT('x', 2000000))"))
            .isZero();
      }
      for (int i = 0; i < SESSIONS; i++) {
        Connection session =
            hog(
                RunningProxy.Driver.MYSQL,
                "useServerPrepStmts=true",
                "useCursorFetch=true",
                "defaultFetchSize=1");
        sessions.add(session);
        for (int cursor = 0; cursor < 3; cursor++) {
          PreparedStatement statement = session.prepareStatement("SELECT b FROM t ORDER BY a, b");
          open.add(statement);
          assertThat(statement.executeQuery().next()).isTrue();
        }
      }
      assertThat(open).hasSize(3 * SESSIONS);
    } finally {
      close(sessions);
    }
  }
}
