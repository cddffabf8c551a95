package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.column;
import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaCluster;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transactions over two MySQL servers, with an account that has no right but those the manual
 * names: skipped where no MySQL server is (see {@link MySqlServer}).
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("long")
class MySqlXaIT {

  private static final String SCHEMA = "xa";

  private static final List<MySqlServer> servers = new ArrayList<>();
  private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    MySqlServer.assumeInstalled();
    var sources = new StringBuilder();
    for (int i = 0; i < 2; i++) {
      MySqlServer server = MySqlServer.start("xa-" + i, "--innodb-lock-wait-timeout=2");
      servers.add(server);
      server.execute(
          "CREATE DATABASE " + SCHEMA,
          "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
          "GRANT ALL ON " + SCHEMA + ".* TO proxy@'%'",
          "GRANT PROCESS ON *.* TO proxy@'%'",
          "GRANT SELECT ON performance_schema.* TO proxy@'%'");
      sources.append(server.dataSource("ds_" + i, SCHEMA));
    }
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: XA
              props: { cluster: my, node: one, log-data-source: xa.ds_0, recovery-interval-milliseconds: 200 }
            """,
            List.of(),
            XaCluster.database(SCHEMA, sources.toString()));
    Eventually.holds("the proxy reaches the databases", () -> XaFixture.reaches(proxy, SCHEMA));
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(
          connection,
          "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL)");
      Eventually.holds("without the right to recover it is refused", () -> isUnfit(connection));
    }
    for (MySqlServer server : servers) {
      server.execute("GRANT XA_RECOVER_ADMIN ON *.* TO proxy@'%'");
    }
    Eventually.holds("with the right it is not", MySqlXaIT::isFit);
  }

  private static final String[] OVER_BOTH = {
    "BEGIN", "DELETE FROM account", "INSERT INTO account VALUES (2, 100), (3, 100)", "COMMIT"
  };

  private static boolean isUnfit(Connection connection) {
    try {
      run(connection, OVER_BOTH);
      return false;
    } catch (SQLException refused) {
      return refused.getErrorCode() == 1402
          && String.valueOf(refused.getMessage()).contains("XA_RECOVER_ADMIN");
    }
  }

  private static boolean isFit() {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, OVER_BOTH);
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    servers.forEach(MySqlServer::close);
  }

  @BeforeEach
  void twoAccounts() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, OVER_BOTH);
    }
  }

  private static List<String> balances() throws SQLException {
    try (Connection connection = proxy.connect(SCHEMA)) {
      return column(connection, "SELECT balance FROM account ORDER BY id");
    }
  }

  private static void fails(int errno, Connection connection, String sql) {
    assertThatThrownBy(() -> run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(errno));
  }

  @Test
  void commitsAndRollsBackOnBoth() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(mine, "BEGIN", "UPDATE account SET balance = 90", "COMMIT");
      assertThat(balances()).containsExactly("90", "90");
      run(
          mine,
          "SET autocommit = 0",
          "UPDATE account SET balance = 80 WHERE id = 2",
          "SAVEPOINT one",
          "UPDATE account SET balance = 80",
          "ROLLBACK TO SAVEPOINT one");
      assertThat(column(mine, "SELECT balance FROM account ORDER BY id"))
          .containsExactly("80", "90");
      run(mine, "ROLLBACK");
    }
    assertThat(balances()).containsExactly("90", "90");
  }

  @Test
  void whatAnotherSessionPreparedIsLeftAlone() throws SQLException {
    MySqlServer second = servers.getLast();
    second.execute(
        "XA START 'another', 'one', 7",
        "INSERT INTO xa.account VALUES (101, 1)",
        "XA END 'another', 'one', 7",
        "XA PREPARE 'another', 'one', 7");
    try (Connection mine = proxy.connect(SCHEMA)) {
      run(mine, "BEGIN", "UPDATE account SET balance = 1 WHERE id IN (2, 3)", "COMMIT");
    }
    second.execute("XA COMMIT 'another', 'one', 7");
    assertThat(balances()).containsExactly("1", "1", "1");
  }

  @Test
  void errorsOfAStatementLeaveTheTransactionOpen() throws SQLException {
    try (Connection mine = proxy.connect(SCHEMA);
        Connection other = proxy.connect(SCHEMA)) {
      run(other, "BEGIN", "UPDATE account SET balance = 7 WHERE id = 3");
      run(mine, "BEGIN", "UPDATE account SET balance = 50 WHERE id = 2");
      fails(1205, mine, "UPDATE account SET balance = 50 WHERE id = 3");
      fails(1062, mine, "INSERT INTO account VALUES (2, 0)");
      run(mine, "SET max_execution_time = 200");
      fails(3024, mine, "SELECT COUNT(*) FROM account a, account b WHERE SLEEP(5) = 0");
      run(other, "ROLLBACK");
      run(mine, "UPDATE account SET balance = 50 WHERE id = 3", "COMMIT");
      run(mine, "START TRANSACTION READ ONLY");
      fails(1792, mine, "UPDATE account SET balance = 0 WHERE id = 3");
      run(mine, "ROLLBACK");
      assertThat(one(mine, "SELECT @@transaction_isolation")).isEqualTo("REPEATABLE-READ");
    }
    assertThat(balances()).containsExactly("50", "50");
  }

  @Test
  void oneOfTwoThatWaitForEachOthersRowsGivesWay() throws Exception {
    try (Connection left = proxy.connect(SCHEMA);
        Connection right = proxy.connect(SCHEMA)) {
      for (Connection each : List.of(left, right)) {
        run(each, "SET innodb_lock_wait_timeout = 100", "BEGIN");
      }
      run(left, "UPDATE account SET balance = balance + 1 WHERE id = 2");
      run(right, "UPDATE account SET balance = balance + 1 WHERE id = 3");
      CompletableFuture<Integer> waiting =
          CompletableFuture.supplyAsync(
              () -> errno(left, "UPDATE account SET balance = balance + 1 WHERE id = 3"));
      int second = errno(right, "UPDATE account SET balance = balance + 1 WHERE id = 2");
      int first = waiting.get();
      assertThat(List.of(first, second)).containsExactlyInAnyOrder(0, 1213);
      run(first == 0 ? left : right, "COMMIT");
      assertThat(balances()).containsExactly("101", "101");
    }
  }

  private static int errno(Connection connection, String sql) {
    try {
      run(connection, sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }
}
