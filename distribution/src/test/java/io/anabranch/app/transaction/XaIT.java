package io.anabranch.app.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaCluster;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions of the type XA, with all databases up. */
@ExtendWith(MariaDbServers.Resolver.class)
class XaIT {

  private static final String SCHEMA = "it_xa";

  /** Longer than a test: nobody is declared dead for silence. */
  private static final long NODE_TIMEOUT = TimeUnit.HOURS.toMillis(1);

  private static MariaDbServer a;
  private static MariaDbServer b;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    a = servers.primaryA();
    b = servers.primaryB();
    for (MariaDbServer server : List.of(a, b)) {
      server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    }
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: XA
              props: { cluster: it, node: one, recovery-interval-milliseconds: 200, decision-retention-milliseconds: 1000, node-timeout-milliseconds: %d }
            """
                .formatted(NODE_TIMEOUT),
            List.of(),
            XaCluster.database(SCHEMA, a, b));
    awaitLog();
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(
          connection,
          "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL) ENGINE=InnoDB");
    }
  }

  private static void awaitLog() {
    Eventually.holds(
        "tables are created",
        () ->
            a.queryOne(
                    "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '"
                        + SCHEMA
                        + "' AND table_name LIKE 'anabranch\\_xa\\_%'")
                .equals("3"));
    Eventually.holds("the proxy is registered", () -> rows("anabranch_xa_node") == 1);
  }

  private static int rows(String table) {
    return Integer.parseInt(a.queryOne("SELECT COUNT(*) FROM " + SCHEMA + "." + table));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    assertThat(rows("anabranch_xa_node")).as("a proxy that ends leaves the cluster").isZero();
  }

  @BeforeEach
  void twoAccounts() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "DELETE FROM account");
      run(connection, "INSERT INTO account VALUES (2, 100), (3, 100)");
    }
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> balances() throws SQLException {
    var balances = new ArrayList<String>();
    try (Connection connection = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT balance FROM account ORDER BY id")) {
      while (rows.next()) {
        balances.add(rows.getString(1));
      }
    }
    return balances;
  }

  private static void nothingIsPrepared() {
    for (MariaDbServer server : List.of(a, b)) {
      assertThat(XaCluster.prepared(server)).isEmpty();
    }
  }

  @Test
  void commitsOnBoth() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(
          mine,
          "BEGIN",
          "UPDATE account SET balance = 90 WHERE id = 2",
          "UPDATE account SET balance = 110 WHERE id = 3",
          "COMMIT");
    }
    assertThat(balances()).containsExactly("90", "110");
    nothingIsPrepared();
    Eventually.holds("the log forgets", () -> rows("anabranch_xa_log") == 0);
  }

  @Test
  void preparesAndLogsOnlyWhereSeveralHaveChanges() throws SQLException {
    long prepares = count(a, "Com_xa_prepare");
    long commits = count(a, "Com_xa_commit");
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(mine, "BEGIN", "UPDATE account SET balance = 1 WHERE id = 2", "COMMIT");
      run(
          mine,
          "BEGIN",
          "SELECT * FROM account WHERE id = 3",
          "UPDATE account SET balance = 2 WHERE id = 2",
          "COMMIT");
    }
    assertThat(count(a, "Com_xa_commit") - commits).isEqualTo(2);
    assertThat(count(a, "Com_xa_prepare")).isEqualTo(prepares);
    assertThat(balances()).containsExactly("2", "100");
  }

  private static String branches(Connection admin) {
    try (Statement statement = admin.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT CONCAT(transaction_name, ' ', state) FROM anabranch.xa_branches")) {
      return rows.next() ? rows.getString(1) : "";
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private static long count(MariaDbServer server, String name) {
    return Long.parseLong(
        server.queryOne(
            "SELECT VARIABLE_VALUE FROM information_schema.global_status WHERE VARIABLE_NAME = '"
                + name
                + "'"));
  }

  @Test
  void aProxyWhoseConnectionHasEndedIsDeclaredDeadBeforeItsTimeIsUp() throws SQLException {
    String cluster =
        "it-"
            + a.queryOne("SELECT code FROM " + SCHEMA + ".anabranch_xa_cluster WHERE name = 'it'");
    String stopped = "two.stopped";
    String killed = "two.killed";
    try (Connection line = a.connect(SCHEMA)) {
      run(line, "DO GET_LOCK('anabranch_xa." + stopped + "', 0)");
      for (String incarnation : List.of(stopped, killed)) {
        int id = incarnation.equals(stopped) ? 10 : 12;
        String branch = "'%s.%s.1', '1', %d".formatted(cluster, incarnation, Xid.FORMAT);
        try (Connection dead = a.connect(SCHEMA)) {
          run(
              dead,
              "INSERT INTO anabranch_xa_node (incarnation, cluster) VALUES ('%s', 'it')"
                  .formatted(incarnation),
              "XA START " + branch,
              "INSERT INTO account VALUES (%d, 100)".formatted(id),
              "XA END " + branch,
              "XA PREPARE " + branch);
        }
      }
      Eventually.holds("the killed one's branch is ended", () -> XaCluster.prepared(a).size() == 1);
      assertThat(XaCluster.prepared(a)).first().asString().contains(stopped);
      try (Connection admin = proxy.connect(SCHEMA)) {
        Eventually.holds("the table of branches tells", () -> branches(admin).contains(stopped));
        assertThat(branches(admin)).endsWith(" in_progress");
      }
      run(line, "DO RELEASE_ALL_LOCKS()");
      Eventually.holds("the other's, too", () -> XaCluster.prepared(a).isEmpty());
    }
    Eventually.holds("both are gone", () -> rows("anabranch_xa_node") == 1);
  }

  @Test
  void theLogIsNotForClients() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement()) {
      for (String listing :
          List.of(
              "SHOW TABLES",
              "SHOW FULL TABLES",
              "SHOW TABLE STATUS",
              "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
              "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema ="
                  + " DATABASE()")) {
        var names = new ArrayList<String>();
        try (ResultSet rows = statement.executeQuery(listing)) {
          while (rows.next()) {
            names.add(rows.getString(1));
          }
        }
        assertThat(names).as(listing).containsExactly("account");
      }
      for (String touching :
          List.of(
              "SELECT * FROM anabranch_xa_log",
              "DELETE FROM Anabranch_XA_node",
              "INSERT INTO anabranch_xa_cluster VALUES ('a', 'b')",
              "DROP TABLE anabranch_xa_log",
              "TRUNCATE TABLE anabranch_xa_log",
              "ALTER TABLE anabranch_xa_log ADD x INT",
              "DESCRIBE anabranch_xa_log",
              "SHOW CREATE TABLE anabranch_xa_log",
              "LOCK TABLES anabranch_xa_node WRITE",
              "SELECT * FROM account JOIN anabranch_xa_node")) {
        assertThatThrownBy(() -> statement.execute(touching))
            .as(touching)
            .isInstanceOfSatisfying(
                SQLException.class, absent -> assertThat(absent.getErrorCode()).isIn(1146, 1051));
      }
    }
  }

  @Test
  void rollsBackOnBoth() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(
          mine,
          "SET autocommit = 0",
          "UPDATE account SET balance = 90 WHERE id = 2",
          "SAVEPOINT one",
          "UPDATE account SET balance = 110 WHERE id = 3",
          "ROLLBACK TO SAVEPOINT one");
      run(mine, "ROLLBACK");
    }
    assertThat(balances()).containsExactly("100", "100");
    nothingIsPrepared();
  }

  @Test
  void oneStatementOverBothIsAtomic() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(mine, "UPDATE account SET balance = balance + 1");
      assertThatThrownBy(() -> run(mine, "UPDATE account SET balance = balance / (id - 3)"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(balances()).containsExactly("101", "101");
    nothingIsPrepared();
  }

  @Test
  void aDeadlockRollsBackEverywhereAndTheSessionGoesOn() throws Exception {
    try (Connection mine = proxy.connect(SCHEMA);
        Connection other = proxy.connect(SCHEMA)) {
      run(mine, "INSERT INTO account VALUES (4, 1), (5, 1)");
      run(mine, "BEGIN", "UPDATE account SET balance = 0 WHERE id = 2");
      run(mine, "UPDATE account SET balance = 0 WHERE id = 3");
      run(
          other,
          "BEGIN",
          "UPDATE account SET balance = 7 WHERE id = 4",
          "INSERT INTO account VALUES (100, 0), (102, 0), (104, 0), (106, 0)",
          "DELETE FROM account WHERE id = 100");
      Thread waiting =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      run(other, "UPDATE account SET balance = 7 WHERE id = 2", "COMMIT");
                    } catch (SQLException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      Eventually.holds(
          "the other one waits",
          () ->
              a.queryOne(
                      "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK"
                          + " WAIT'")
                  .equals("1"));
      assertThatThrownBy(() -> run(mine, "UPDATE account SET balance = 0 WHERE id = 4"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(1213);
                assertThat(e.getSQLState()).isEqualTo("40001");
              });
      waiting.join();
      run(mine, "UPDATE account SET balance = 8 WHERE id = 3");
    }
    assertThat(balances()).containsExactly("7", "8", "7", "1", "0", "0", "0");
  }

  @Test
  void aDeadlockLeavesTheSessionItsTemporaryTable() throws Exception {
    try (Connection mine = proxy.connect(SCHEMA);
        Connection other = proxy.connect(SCHEMA)) {
      run(mine, "INSERT INTO account VALUES (4, 1)");
      run(mine, "CREATE TEMPORARY TABLE mine_only (id INT)", "INSERT INTO mine_only VALUES (7)");
      run(mine, "BEGIN", "UPDATE account SET balance = 0 WHERE id = 2");
      run(
          other,
          "BEGIN",
          "UPDATE account SET balance = 7 WHERE id = 4",
          "INSERT INTO account VALUES (100, 0), (102, 0), (104, 0), (106, 0)",
          "DELETE FROM account WHERE id = 100");
      Thread waiting =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      run(other, "UPDATE account SET balance = 7 WHERE id = 2", "COMMIT");
                    } catch (SQLException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      Eventually.holds(
          "the other one waits",
          () ->
              a.queryOne(
                      "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK"
                          + " WAIT'")
                  .equals("1"));
      assertThatThrownBy(() -> run(mine, "UPDATE account SET balance = 0 WHERE id = 4"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1213));
      waiting.join();
      run(mine, "INSERT INTO mine_only VALUES (8)");
    }
  }

  @Test
  void anOddNameOfSomebodyElsesBranchKeepsNothingFromBeingResolved() throws SQLException {
    String theirs = "'it-x', 'a b', " + Xid.FORMAT;
    String dead = "'%s.two.odd.1', '1', %d".formatted(cluster(), Xid.FORMAT);
    prepare(theirs, 90);
    prepare(dead, 92);

    Eventually.holds(
        "what a dead proxy has left is rolled back",
        () -> XaCluster.prepared(a).stream().noneMatch(each -> each.contains("two.odd")));
    assertThat(XaCluster.prepared(a)).hasSize(1);
    a.execute("XA ROLLBACK " + theirs);
  }

  private static String cluster() {
    return "it-"
        + a.queryOne("SELECT code FROM " + SCHEMA + ".anabranch_xa_cluster WHERE name = 'it'");
  }

  private static void prepare(String branch, int account) throws SQLException {
    try (Connection connection = a.connect(SCHEMA)) {
      run(
          connection,
          "XA START " + branch,
          "INSERT INTO account VALUES (%d, 100)".formatted(account),
          "XA END " + branch,
          "XA PREPARE " + branch);
    }
  }

  @Test
  void sessionsChooseTheTypeOutsideOfTransactions() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      assertThat(one(mine, "SELECT @@transaction_type")).isEqualTo("XA");
      run(mine, "SET transaction_type = 'LOCAL'");
      assertThat(one(mine, "SELECT @@transaction_type")).isEqualTo("LOCAL");
      long prepares = count(a, "Com_xa_prepare");
      run(mine, "BEGIN", "UPDATE account SET balance = 5");
      assertThatThrownBy(() -> run(mine, "SET transaction_type = 'XA'"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1568));
      run(mine, "COMMIT");
      assertThat(count(a, "Com_xa_prepare")).isEqualTo(prepares);
    }
    assertThat(balances()).containsExactly("5", "5");
  }

  @Test
  void completionTypeIsTheProxysToObey() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(
          mine,
          "SET completion_type = 'CHAIN'",
          "BEGIN",
          "UPDATE account SET balance = 6 WHERE id = 2",
          "COMMIT");
      assertThat(one(mine, "SELECT @@in_transaction")).isEqualTo("1");
      run(mine, "UPDATE account SET balance = 7 WHERE id = 2", "ROLLBACK AND NO CHAIN");
      assertThat(one(mine, "SELECT @@in_transaction")).isEqualTo("0");
    }
    assertThat(balances()).containsExactly("6", "100");
  }

  @Test
  void aSnapshotMayChangeOneDataSource() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA);
        Connection other = proxy.connect(SCHEMA)) {
      run(mine, "SET anabranch_consistent_reads = 1", "BEGIN");
      run(other, "UPDATE account SET balance = 50");
      assertThat(one(mine, "SELECT SUM(balance) FROM account")).isEqualTo("200");
      run(mine, "INSERT INTO account VALUES (8, 1)");
      assertThatThrownBy(() -> run(mine, "INSERT INTO account VALUES (9, 1)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1235));
      run(mine, "COMMIT");
    }
    assertThat(balances()).containsExactly("50", "50", "1");
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
