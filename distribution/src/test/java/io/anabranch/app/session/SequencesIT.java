package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.BrokenConnections;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a sequence gave last is the session's own, whoever has its connections in between; a session
 * that cannot know is told so.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class SequencesIT {

  private static final int POOL = 3;
  private static final String SCHEMA = "it_sequences";
  private static final String SHARDED = "it_sequences_sharded";
  private static final String ELSEWHERE = "it_sequences_elsewhere";

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    for (String schema : List.of(SCHEMA, SCHEMA + "_1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    server.execute(
        "CREATE SEQUENCE " + SCHEMA + ".s",
        "CREATE SEQUENCE " + SCHEMA + ".other",
        "CREATE TABLE " + SCHEMA + ".t (id BIGINT DEFAULT NEXTVAL(" + SCHEMA + ".s), a INT)",
        "CREATE TABLE " + SCHEMA + ".o (id BIGINT PRIMARY KEY, a INT)",
        "CREATE TABLE " + SCHEMA + "_1.o (id BIGINT PRIMARY KEY, a INT)");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: " + SCHEMA + "\ndataSources:\n" + small("ds_0", SCHEMA) + "rules: []\n",
            "databaseName: "
                + SHARDED
                + "\ndataSources:\n"
                + small("ds_0", SCHEMA)
                + small("ds_1", SCHEMA + "_1")
                + """
                rules:
                - !SHARDING
                  tables:
                    o:
                      actualDataNodes: ds_${0..1}.o
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
                  shardingAlgorithms:
                    m: { type: MOD, props: { sharding-count: 2 } }
                """,
            "databaseName: "
                + ELSEWHERE
                + "\ndataSources:\n"
                + small("ds_0", SCHEMA)
                + small("ds_1", SCHEMA + "_1")
                + """
                rules:
                - !BROADCAST
                  tables: [b]
                - !SINGLE
                  tables: ["*.*"]
                  defaultDataSource: ds_1
                """);
  }

  private static String small(String name, String schema) {
    return RunningProxy.source(name, server, schema)
        .replace("maxPoolSize: 10", "maxPoolSize: " + POOL)
        .replace("connectionTimeoutMilliseconds: 3000", "connectionTimeoutMilliseconds: 30000");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @BeforeEach
  void restart() {
    server.execute("ALTER SEQUENCE " + SCHEMA + ".s RESTART 1");
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void assertUnknown(Connection connection, String sql) {
    assertThatThrownBy(() -> number(connection, sql)).hasMessageContaining("AB3024");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT NEXTVAL(s)",
        "SELECT NEXT VALUE FOR s",
        "DO NEXTVAL(`s`)",
        "SET @drawn = NEXTVAL(s)",
        "INSERT INTO o VALUES (NEXTVAL(s), 1)",
      })
  void eachSessionHasItsOwn(String draw) throws SQLException {
    server.execute("DELETE FROM " + SCHEMA + ".o");
    try (Connection one = proxy.connect(SCHEMA);
        Connection two = proxy.connect(SCHEMA)) {
      run(one, draw);
      run(two, draw);
      run(two, draw);
      assertThat(number(one, "SELECT LASTVAL(s)")).isEqualTo(1);
      assertThat(number(two, "SELECT PREVIOUS VALUE FOR s")).isEqualTo(3);
      run(one, "INSERT INTO t (a) VALUES (1)");
      assertThat(number(one, "SELECT LASTVAL(" + SCHEMA + ".s)")).as("by a default").isEqualTo(4);
      assertThat(number(two, "SELECT LASTVAL(s)")).isEqualTo(3);
    }
  }

  @Test
  void livesInTheDefaultDataSource() throws SQLException {
    try (Connection one = proxy.connect(ELSEWHERE);
        Statement statement = one.createStatement()) {
      statement.execute("CREATE SEQUENCE made");
      assertThat(number(one, "SELECT NEXTVAL(made)")).isEqualTo(1);
      assertThat(number(one, "SELECT NEXT VALUE FOR made")).isEqualTo(2);
      assertThat(number(one, "SELECT SETVAL(made, 10)")).isEqualTo(10);
      assertThat(number(one, "SELECT LASTVAL(made)")).isEqualTo(2);
      statement.execute("DROP SEQUENCE made");
    }
  }

  @Test
  void preparedStatementsToo() throws SQLException {
    try (Connection one = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        Connection two = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        PreparedStatement draw = one.prepareStatement("SELECT NEXTVAL(s) + ?");
        PreparedStatement last = one.prepareStatement("SELECT LASTVAL(s)")) {
      assertThatThrownBy(last::executeQuery).hasMessageContaining("AB3024");
      draw.setInt(1, 0);
      draw.executeQuery().close();
      number(two, "SELECT NEXTVAL(s)");
      try (ResultSet rows = last.executeQuery()) {
        rows.next();
        assertThat(rows.getLong(1)).isEqualTo(1);
      }
    }
  }

  @Test
  void whoHasNotDrawnByNameIsToldSo() throws SQLException {
    try (Connection one = proxy.connect(SCHEMA)) {
      number(one, "SELECT NEXTVAL(s)");
    }
    try (Connection two = proxy.connect(SCHEMA)) {
      assertUnknown(two, "SELECT LASTVAL(s)");
      run(two, "INSERT INTO t (a) VALUES (1)");
      assertUnknown(two, "SELECT LASTVAL(s)");
      assertThat(number(two, "SELECT COUNT(NEXTVAL(s)) FROM o WHERE id < 0 AND a > 0")).isZero();
      assertUnknown(two, "SELECT LASTVAL(s)");
      assertThatThrownBy(() -> run(two, "SET @last = LASTVAL(s)")).hasMessageContaining("AB3024");
      number(two, "SELECT NEXTVAL(s)");
      assertThat(number(two, "SELECT LASTVAL(s)")).isEqualTo(3);
      assertUnknown(two, "SELECT LASTVAL(other)");
      run(two, "SET @last = LASTVAL(s)");
      assertThat(number(two, "SELECT @last")).isEqualTo(3);
    }
  }

  @Test
  void inATransactionAndAfterIt() throws SQLException {
    try (Connection one = proxy.connect(SCHEMA);
        Connection two = proxy.connect(SCHEMA)) {
      run(one, "BEGIN");
      number(one, "SELECT NEXTVAL(s)");
      number(two, "SELECT NEXTVAL(s)");
      assertThat(number(one, "SELECT LASTVAL(s)")).isEqualTo(1);
      run(one, "ROLLBACK");
      assertThat(number(one, "SELECT LASTVAL(s)")).isEqualTo(1);
    }
  }

  @Test
  void whoeverWaitsForAConnectionGetsItFromThoseThatOnlyMayAsk() throws SQLException {
    int sessions = POOL * 2;
    var all = new ArrayList<Connection>();
    try {
      for (int i = 0; i < sessions; i++) {
        Connection next = proxy.connect(SCHEMA);
        all.add(next);
        assertThat(number(next, "SELECT NEXTVAL(s)")).isEqualTo(i + 1);
      }
      int unknown = 0;
      for (int i = 0; i < sessions; i++) {
        Transcript last = Transcript.of(all.get(i), "SELECT LASTVAL(s)");
        if (last.isError()) {
          assertThat(last.head()).contains("AB3024");
          unknown++;
        } else {
          assertThat(last.rows().toString()).contains(String.valueOf(i + 1));
        }
      }
      assertThat(unknown).isGreaterThanOrEqualTo(sessions - POOL).isLessThan(sessions);
      run(all.get(0), "BEGIN");
      run(all.get(0), "INSERT INTO t (a) VALUES (1)");
      run(all.get(0), "COMMIT");
    } finally {
      for (Connection each : all) {
        each.close();
      }
    }
  }

  @Test
  void drawsForRowsOfSeveralNodes() throws SQLException {
    try (Connection one = proxy.connect(SHARDED)) {
      run(one, "DELETE FROM o");
      run(one, "INSERT INTO o (id, a) VALUES (600, NEXTVAL(s)), (601, NEXT VALUE FOR s)");
      run(one, "INSERT INTO o VALUES (603, NEXTVAL(s) + 10)");
      run(one, "INSERT INTO o SET id = 605, a = NEXTVAL(s)");
      run(one, "REPLACE INTO o VALUES (NEXTVAL(s) + 600, 7)");
      assertThat(number(one, "SELECT SUM(id * 100 + a) FROM o"))
          .isEqualTo(60001 + 60102 + 60313 + 60507);
      for (String sql :
          List.of(
              "INSERT INTO o VALUES (600, 1), (601, 1) ON DUPLICATE KEY UPDATE a = NEXTVAL(s)",
              "INSERT INTO o VALUES (601, 1) ON DUPLICATE KEY UPDATE a = NEXTVAL(s)",
              "UPDATE o SET a = NEXTVAL(s)",
              "ALTER TABLE o MODIFY a INT DEFAULT NEXTVAL(s)",
              "ALTER TABLE o ALTER a SET DEFAULT NEXTVAL(s)",
              "ALTER TABLE o ADD z INT DEFAULT (NEXT VALUE FOR s)")) {
        assertThat(Transcript.of(one, sql).head()).as(sql).contains("AB2");
      }
    }
  }

  @Test
  void aLostConnectionEndsNothingElse() throws SQLException {
    try (Connection one = proxy.connect(SCHEMA)) {
      number(one, "SELECT NEXTVAL(s)");
      long id = number(one, "SELECT CONNECTION_ID() FROM DUAL WHERE NEXTVAL(s) > 0");
      BrokenConnections.to(SCHEMA, server);
      assertThat(id).isPositive();
      Eventually.holds(
          "statements run again", () -> !Transcript.of(one, "SELECT 1 FROM o").isError());
      assertUnknown(one, "SELECT LASTVAL(s)");
    }
  }

  @Test
  void overSeveralDataSources() throws SQLException {
    try (Connection one = proxy.connect(SHARDED);
        Connection two = proxy.connect(SHARDED)) {
      number(one, "SELECT NEXTVAL(s)");
      number(two, "SELECT NEXTVAL(s)");
      run(one, "REPLACE INTO o VALUES (2, 0), (3, 0)");
      assertThat(number(one, "SELECT COUNT(*) FROM o WHERE id IN (2, 3)")).isEqualTo(2);
      assertThat(number(one, "SELECT LASTVAL(s)")).isEqualTo(1);
      assertThat(number(two, "SELECT LASTVAL(s)")).isEqualTo(2);
    }
    try (Connection three = proxy.connect(SHARDED)) {
      assertUnknown(three, "SELECT LASTVAL(s)");
    }
  }
}
