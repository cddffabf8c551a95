package io.anabranch.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A connection breaks when its answer is with the client, and while it is asked what the statement
 * has left there: the client hears of it in the place of the next answer, not by a connection that
 * closes.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class LostBehindAnswerIT {

  private static final String SCHEMA = "it_lost_behind_answer";

  private static MariaDbServer server;
  private static FaultyLink link;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    link = FaultyLink.to(server.port());
    proxy =
        RunningProxy.start(
            List.of(),
            RunningProxy.passThrough(SCHEMA, server)
                .replace(":" + server.port(), ":" + link.port()));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    link.close();
  }

  @BeforeEach
  void table() {
    server.execute(
        "CREATE OR REPLACE TABLE " + SCHEMA + ".t (a INT AUTO_INCREMENT PRIMARY KEY, b TINYINT)");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void cut(Connection connection, String sql, String question) throws SQLException {
    AtomicBoolean isCut = link.arm(new Trigger("behind the answer", question, 0), Fault.CLOSE);
    run(connection, sql);
    Eventually.holds("the connection is cut", isCut::get);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT GET_LOCK('it_behind', 0)             | IS_USED_LOCK",
        "SELECT @a := 5                              | COLLATION(",
        "INSERT INTO t (b) VALUES (1) RETURNING a    | LAST_INSERT_ID()",
      })
  void theNextStatementIsToldAndTheConnectionEnds(String sql, String question) throws SQLException {
    for (String next : List.of("SELECT 1 FROM t", "SELECT @a", "SET @b = 1", "BEGIN")) {
      try (Connection connection = proxy.connect(SCHEMA)) {
        cut(connection, sql, question);
        assertThatThrownBy(() -> run(connection, next)).hasMessageContaining("AB3019");
        assertThat(connection.isValid(5)).isFalse();
      }
    }
  }

  /** A pool that asks before it lends does not lend it. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = "SELECT GET_LOCK('it_behind', 0) | IS_USED_LOCK")
  void itIsNotValid(String sql, String question) throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      cut(connection, sql, question);
      assertThat(connection.isValid(5)).isFalse();
    }
  }

  /** Nobody needs the rows of warnings to answer what comes. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = "INSERT IGNORE INTO t VALUES (NULL, 1000) | SHOW WARNINGS")
  void warningsAreNoState(String sql, String question) throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      cut(connection, sql, question);
      run(connection, "SELECT 1 FROM t");
    }
    assertThat(server.queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".t")).isEqualTo("1");
  }
}
