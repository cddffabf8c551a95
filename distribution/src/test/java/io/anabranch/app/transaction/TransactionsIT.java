package io.anabranch.app.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions on one and on several data sources. */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class TransactionsIT {

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_transactions");
    run(
        "CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, status VARCHAR(20), PRIMARY KEY (order_id, user_id))");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void twoOrdersInTwoDataSources() throws SQLException {
    run("DELETE FROM t_order");
    run("INSERT INTO t_order (order_id, user_id, status) VALUES (1, 0, 'old'), (2, 1, 'old')");
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = fixture.throughProxy();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String states(Connection connection) throws SQLException {
    var states = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT status FROM t_order ORDER BY order_id")) {
      while (rows.next()) {
        states.append(rows.getString(1)).append(' ');
      }
    }
    return states.toString().strip();
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  @Test
  void othersSeeNothingBeforeTheCommitAndAllAfterIt() throws SQLException {
    try (Connection mine = fixture.throughProxy();
        Connection other = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      assertThat(
              update(mine, "UPDATE t_order SET status = 'new' WHERE order_id = 1 AND user_id = 0"))
          .isEqualTo(1);
      assertThat(
              update(mine, "UPDATE t_order SET status = 'new' WHERE order_id = 2 AND user_id = 1"))
          .isEqualTo(1);
      assertThat(states(mine)).isEqualTo("new new");
      assertThat(states(other)).isEqualTo("old old");
      mine.commit();
      assertThat(states(other)).isEqualTo("new new");
    }
  }

  /** Also on a connection that the session keeps, for a temporary table or a lock. */
  @Test
  void whatIsSaidOfTheNextTransactionEndsWithIt() throws SQLException {
    try (Connection mine = fixture.throughProxy();
        Connection other = fixture.throughProxy()) {
      update(mine, "DO GET_LOCK('it_transactions', 0)");
      update(mine, "CREATE TEMPORARY TABLE mine (i INT)");
      for (String user : List.of("0", "1")) {
        String sql = "SELECT status FROM t_order WHERE user_id = " + user;
        update(mine, "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
        assertThat(XaFixture.one(mine, sql)).isEqualTo("old");
        other.setAutoCommit(false);
        update(other, "UPDATE t_order SET status = 'new'");
        assertThat(XaFixture.one(mine, sql)).isEqualTo("old");
        assertThat(states(mine)).isEqualTo("old old");
        update(mine, "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
        assertThat(XaFixture.one(mine, sql)).isEqualTo("new");
        other.rollback();
      }
    }
  }

  @Test
  void rollbackUndoesAllDataSources() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      update(mine, "UPDATE t_order SET status = 'new'");
      mine.rollback();
      assertThat(states(mine)).isEqualTo("old old");
    }
  }

  /** Whatever the session asks a data source that the transaction has not touched yet. */
  @Test
  void whatRunsNoStatementBeginsNone() throws SQLException {
    String there = "UPDATE t_order SET status = 'new' WHERE order_id = 1 AND user_id = 0";
    String elsewhere = "UPDATE t_order SET status = 'new' WHERE order_id = 2 AND user_id = 1";
    List<String> others =
        List.of(
            "SHOW WARNINGS",
            "SHOW COLUMNS FROM t_order",
            "SHOW TABLES",
            "SHOW VARIABLES LIKE 'autocommit'",
            "DO 1",
            "SET @a = 1",
            "SET @b = (SELECT 1)",
            "SELECT NOW()",
            "SELECT 1 FROM nowhere",
            "EXPLAIN " + elsewhere,
            "PREPARE p FROM \"" + elsewhere.replace("'new'", "?") + "\"",
            "PREPARE p FROM 'SELECT * FROM t_order WHERE user_id = 1 FOR UPDATE'",
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_NAME = 't_order'");
    for (String options : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
      for (String begin : List.of("SET autocommit = 0", "BEGIN")) {
        for (String other : others) {
          try (Connection mine = fixture.throughProxy(options)) {
            update(mine, begin);
            for (String sql : List.of(there, elsewhere)) {
              Transcript.of(mine, other);
              try (PreparedStatement prepared = mine.prepareStatement(sql)) {
                assertThat(prepared.executeUpdate()).isEqualTo(1);
              }
              try (PreparedStatement prepared = mine.prepareStatement(sql.replace("'new'", "?"))) {
                prepared.setString(1, "newer");
                assertThat(prepared.executeUpdate()).isEqualTo(1);
              }
            }
            update(mine, "ROLLBACK");
            assertThat(states(mine)).as(options + ": " + begin + "; " + other).isEqualTo("old old");
          }
        }
      }
    }
  }

  @Test
  void aClientThatGoesAwayLeavesNothingBehind() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      update(mine, "UPDATE t_order SET status = 'new' WHERE order_id = 1 AND user_id = 0");
      mine.abort(Runnable::run);
    }
    try (Connection other = fixture.throughProxy()) {
      // Waits for the row lock until the proxy has rolled back.
      assertThat(
              update(
                  other, "UPDATE t_order SET status = 'mine' WHERE order_id = 1 AND user_id = 0"))
          .isEqualTo(1);
      assertThat(states(other)).isEqualTo("mine old");
    }
  }

  @Test
  void savepointsUndoAPart() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      update(mine, "UPDATE t_order SET status = 'first' WHERE order_id = 1 AND user_id = 0");
      Savepoint point = mine.setSavepoint("half");
      update(mine, "UPDATE t_order SET status = 'second'");
      mine.rollback(point);
      assertThat(states(mine)).isEqualTo("first old");
      mine.commit();
      assertThat(states(mine)).isEqualTo("first old");
    }
  }

  @Test
  void whatIsSaidOfTheNextTransactionConcernsNobodyElse() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      update(mine, "SET TRANSACTION READ ONLY");
      update(mine, "DO 1");
      for (int i = 0; i < 10; i++) {
        run("UPDATE t_order SET status = 'new'");
      }
      update(mine, "SET TRANSACTION READ ONLY");
      for (String noTransaction :
          List.of("SET @a = 1", "DO 1", "SELECT 1", "SELECT @@version", "SELECT 2 INTO @a")) {
        Transcript.of(mine, noTransaction);
      }
      assertThatThrownBy(() -> update(mine, "UPDATE t_order SET status = 'mine'"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1792));
      assertThat(states(mine)).isEqualTo("new new");
      update(mine, "UPDATE t_order SET status = 'mine'");
    }
  }

  @Test
  void whatIsSaidOfTheNextTransactionEndsWithCommitAndRollback() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      for (String end : List.of("COMMIT", "ROLLBACK")) {
        update(mine, "SET TRANSACTION READ ONLY");
        update(mine, end);
        update(mine, "BEGIN");
        update(mine, "UPDATE t_order SET status = 'mine'");
        update(mine, "ROLLBACK");
      }
    }
  }

  @Test
  void whatIsPreparedLeavesTheNextTransactionAlone() throws SQLException {
    String update = "UPDATE t_order SET status = ? WHERE order_id = 1 AND user_id = 0";
    try (Connection mine = fixture.throughProxy("useServerPrepStmts=true")) {
      update(mine, "SET TRANSACTION READ ONLY");
      try (PreparedStatement prepared = mine.prepareStatement(update)) {
        prepared.setString(1, "new");
        assertThatThrownBy(prepared::executeUpdate)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1792));
        assertThat(states(mine)).isEqualTo("old old");
        assertThat(prepared.executeUpdate()).isEqualTo(1);
      }
    }
  }

  @Test
  void whatDoesNotParseCommitsNothing() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      update(mine, "UPDATE t_order SET status = 'new'");
      assertThatThrownBy(() -> update(mine, "ALTER TABLE t_order FOO BAR"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1064));
      mine.rollback();
      assertThat(states(mine)).isEqualTo("old old");
    }
  }

  @Test
  void chainBeginsATransactionWhereNoneWasOpen() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      update(mine, "COMMIT AND CHAIN");
      update(mine, "UPDATE t_order SET status = 'new'");
      update(mine, "ROLLBACK AND CHAIN");
      update(mine, "UPDATE t_order SET status = 'other'");
      update(mine, "ROLLBACK");
      assertThat(states(mine)).isEqualTo("old old");
    }
  }

  @Test
  void settingAVariableBeginsNoTransaction() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      update(mine, "SET autocommit = 0");
      update(mine, "SET @a = 1");
      update(mine, "SET TRANSACTION READ ONLY");
      assertThatThrownBy(() -> update(mine, "UPDATE t_order SET status = 'new'"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1792));
      update(mine, "ROLLBACK");
      update(mine, "UPDATE t_order SET status = 'new'");
      update(mine, "COMMIT");
      assertThat(states(mine)).isEqualTo("new new");
    }
  }

  @Test
  void aDatabaseErrorKeepsTheTransaction() throws SQLException {
    try (Connection mine = fixture.throughProxy()) {
      mine.setAutoCommit(false);
      update(mine, "UPDATE t_order SET status = 'new' WHERE order_id = 1 AND user_id = 0");
      assertThatThrownBy(
              () -> update(mine, "INSERT INTO t_order (order_id, user_id) VALUES (1, 0)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1062));
      mine.commit();
      assertThat(states(mine)).isEqualTo("new old");
    }
  }
}
