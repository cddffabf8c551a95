package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a client is told when a statement of a transaction fails, whether the transaction is gone
 * then, and that the same connection goes on: in transactions of both types over one data source
 * and over two.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class TransactionErrorsIT {

  /** A transaction that has changed account 2, and 3 in the other data source if it has two. */
  enum Kind {
    LOCAL_OVER_ONE("LOCAL", false),
    LOCAL_OVER_TWO("LOCAL", true),
    XA_OVER_ONE("XA", false),
    XA_OVER_TWO("XA", true);

    private final String type;
    private final boolean overTwo;

    Kind(String type, boolean overTwo) {
      this.type = type;
      this.overTwo = overTwo;
    }

    void begin(Connection connection) throws SQLException {
      run(
          connection,
          "SET transaction_type = '" + type + "'",
          "BEGIN",
          "UPDATE account SET balance = 90 WHERE id = 2");
      if (overTwo) {
        run(connection, "UPDATE account SET balance = 110 WHERE id = 3");
      }
    }

    private String other() {
      return overTwo ? "110" : "100";
    }
  }

  private static XaFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = XaFixture.start(servers, "it_errors");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void accounts() throws SQLException {
    fixture.accounts(2, 4);
  }

  private static void fails(Connection connection, String sql, int errno, String state) {
    assertThatThrownBy(() -> run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            failure ->
                assertThat(failure.getErrorCode() + " " + failure.getSQLState())
                    .as(failure.getMessage())
                    .isEqualTo(errno + " " + state));
  }

  /** The transaction is open as it was: it takes one more change and commits. */
  private static void goesOn(Kind kind, Connection connection) throws SQLException {
    assertThat(one(connection, "SELECT @@in_transaction")).isEqualTo("1");
    run(connection, "UPDATE account SET balance = balance + 1 WHERE id = 2", "COMMIT");
    assertThat(fixture.balances()).containsExactly("91", kind.other(), "100", "100");
    begins(connection);
  }

  /** It is rolled back everywhere; the session is out of it. */
  private static void isGone(Connection connection) throws SQLException {
    assertThat(one(connection, "SELECT @@in_transaction")).isEqualTo("0");
    Eventually.holds(
        "locks are free",
        () -> fixture.servers().stream().noneMatch(server -> fixture.hasTransactions(server)));
    assertThat(fixture.balances()).startsWith("100", "100");
    begins(connection);
  }

  private static void begins(Connection connection) throws SQLException {
    run(connection, "BEGIN", "UPDATE account SET balance = 7 WHERE id IN (2, 3)", "COMMIT");
    assertThat(fixture.balances()).startsWith("7", "7");
  }

  @ParameterizedTest
  @EnumSource
  void duplicateKey(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      kind.begin(mine);
      fails(mine, "INSERT INTO account VALUES (4, 0)", 1062, "23000");
      goesOn(kind, mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lockWaitTimeout(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect();
        Connection other = fixture.direct()) {
      run(other, "BEGIN", "UPDATE account SET balance = 0 WHERE id = 4");
      run(mine, "SET innodb_lock_wait_timeout = 1");
      kind.begin(mine);
      fails(mine, "UPDATE account SET balance = 0 WHERE id = 4", 1205, "HY000");
      run(other, "ROLLBACK");
      goesOn(kind, mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void deadlock(Kind kind) throws Exception {
    try (Connection mine = fixture.connect();
        Connection other = fixture.direct()) {
      kind.begin(mine);
      run(
          other,
          "BEGIN",
          "UPDATE account SET balance = 0 WHERE id = 4",
          "INSERT INTO account VALUES (100, 0), (102, 0), (104, 0), (106, 0), (108, 0)");
      var waiting =
          CompletableFuture.runAsync(
              () -> {
                try {
                  run(other, "UPDATE account SET balance = 0 WHERE id = 2", "ROLLBACK");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              command -> Thread.ofVirtual().start(command));
      Eventually.holds(
          "the other one waits",
          () ->
              fixture
                  .first()
                  .queryOne(
                      "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK"
                          + " WAIT'")
                  .equals("1"));
      fails(mine, "UPDATE account SET balance = 0 WHERE id = 4", 1213, "40001");
      waiting.join();
      isGone(mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readOnlyTransaction(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      run(
          mine,
          "SET transaction_type = '" + kind.type + "'",
          "START TRANSACTION READ ONLY",
          "SELECT * FROM account WHERE id = 2");
      if (kind.overTwo) {
        run(mine, "SELECT * FROM account WHERE id = 3");
      }
      fails(mine, "UPDATE account SET balance = 0 WHERE id = 2", 1792, "25006");
      assertThat(one(mine, "SELECT @@in_transaction")).isEqualTo("1");
      run(mine, "COMMIT");
      begins(mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readOnlyServer(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      run(
          mine,
          "SET transaction_type = '" + kind.type + "'",
          "BEGIN",
          "SELECT * FROM account WHERE id = 2");
      if (kind.overTwo) {
        run(mine, "SELECT * FROM account WHERE id = 3");
      }
      fixture.first().execute("SET GLOBAL read_only = ON");
      try {
        fails(mine, "UPDATE account SET balance = 0 WHERE id = 2", 1290, "HY000");
      } finally {
        fixture.first().execute("SET GLOBAL read_only = OFF");
      }
      assertThat(one(mine, "SELECT @@in_transaction")).isEqualTo("1");
      run(mine, "UPDATE account SET balance = 90 WHERE id = 2", "ROLLBACK");
      begins(mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void statementTimeout(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      run(mine, "SET max_statement_time = 0.3");
      kind.begin(mine);
      fails(mine, "UPDATE account SET balance = balance + SLEEP(30) WHERE id = 4", 1969, "70100");
      goesOn(kind, mine);
    }
  }

  @ParameterizedTest
  @EnumSource
  void killedQuery(Kind kind) throws Exception {
    killed(kind, "id = 4");
  }

  /** The part in the other data source has been done by then, and is undone. */
  @ParameterizedTest
  @EnumSource
  void killedQueryOverBoth(Kind kind) throws Exception {
    killed(kind, "id IN (4, 5)");
  }

  private static void killed(Kind kind, String where) throws Exception {
    try (Connection mine = fixture.connect();
        Connection killer = fixture.connect()) {
      String id = one(mine, "SELECT CONNECTION_ID()");
      kind.begin(mine);
      var failing =
          CompletableFuture.runAsync(
              () ->
                  fails(
                      mine,
                      "UPDATE account SET balance = balance + IF(id % 2, 1, SLEEP(60)) WHERE "
                          + where,
                      1317,
                      "70100"),
              command -> Thread.ofVirtual().start(command));
      Eventually.holds(
          "it sleeps",
          () ->
              fixture
                  .first()
                  .queryOne(
                      "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'UPDATE"
                          + " account%SLEEP%' AND state = 'User sleep'")
                  .equals("1"));
      run(killer, "KILL QUERY " + id);
      failing.join();
      goesOn(kind, mine);
    }
  }

  /** The connection whose transaction has changed something; of two looks the second is fresh. */
  private static String changingThread() {
    var looks = new ArrayDeque<String>();
    Eventually.holds(
        "a transaction has changed something",
        () -> {
          looks.addFirst(
              fixture
                  .first()
                  .queryOne(
                      "SELECT IFNULL(MAX(trx_mysql_thread_id), 0) FROM"
                          + " information_schema.innodb_trx WHERE trx_rows_modified > 0"));
          return looks.size() > 1 && !looks.getFirst().equals("0");
        });
    return looks.getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void lostConnection(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      kind.begin(mine);
      fixture.first().execute("KILL CONNECTION " + changingThread());
      fails(mine, "UPDATE account SET balance = 0 WHERE id = 4", 1430, "HY000");
      isGone(mine);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCAL_OVER_ONE", "XA_OVER_TWO"})
  void hangingDatabase(Kind kind) throws SQLException {
    try (Connection mine = fixture.connect()) {
      kind.begin(mine);
      fixture.first().pause();
      try {
        fails(mine, "UPDATE account SET balance = 0 WHERE id = 4", 1430, "HY000");
      } finally {
        fixture.first().goOn();
      }
      Eventually.holds("it is up again", TransactionErrorsIT::isServing);
      isGone(mine);
    }
  }

  private static boolean isServing() {
    try (Connection connection = fixture.connect()) {
      run(connection, "BEGIN", "UPDATE account SET balance = 100 WHERE id IN (2, 3)", "ROLLBACK");
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }
}
