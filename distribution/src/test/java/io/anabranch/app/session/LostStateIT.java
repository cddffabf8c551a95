package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.BrokenConnections;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lived in a connection that broke is not replaced in silence: the client connects anew. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LostStateIT {

  private static final String SCHEMA = "it_lost_state";

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".t (a INT)");
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TEMPORARY TABLE t (b INT) | INSERT INTO t VALUES (1)",
        "LOCK TABLES t WRITE | INSERT INTO t VALUES (1)",
        "SELECT GET_LOCK('it_lost', 0) | SELECT 1 FROM t",
      })
  void theNextStatementFailsAndTheConnectionEnds(String sets, String next) throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, sets);
      BrokenConnections.to(SCHEMA, server);
      assertThatThrownBy(() -> run(connection, next)).hasMessageContaining("AB3019");
      assertThatThrownBy(() -> run(connection, next)).isInstanceOf(SQLException.class);
      assertThat(connection.isValid(5)).isFalse();
    }
    assertThat(server.queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".t")).isEqualTo("0");
    try (Connection another = proxy.connect(SCHEMA)) {
      run(another, "SELECT 1 FROM t");
    }
  }

  /** What the client began with XA START is its database's: nothing else ends it. */
  @Test
  void aBranchOfTheClientsStaysOnItsConnection() throws SQLException {
    boolean leavesItsConnection = DatabaseServers.areMySql();
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "XA START 'mine'");
      run(connection, "INSERT INTO t VALUES (7)");
      for (String refused :
          new String[] {"BEGIN", "COMMIT", "ROLLBACK", "CREATE TABLE u (a INT)"}) {
        assertThatThrownBy(() -> run(connection, refused))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1399));
      }
      run(connection, "XA END 'mine'");
      run(connection, "XA PREPARE 'mine'");
      if (!leavesItsConnection) {
        assertThatThrownBy(() -> run(connection, "SELECT * FROM t"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1399));
      }
      run(connection, "XA ROLLBACK 'mine'");
      run(connection, "BEGIN");
      run(connection, "COMMIT");
    }
    assertThat(server.queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".t")).isEqualTo("0");
  }

  @Test
  void aSessionWithoutStateGoesOn() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "SELECT 1 FROM t");
      BrokenConnections.to(SCHEMA, server);
      run(connection, "SELECT 1 FROM t");
    }
  }
}
