package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two sessions that run into a deadlock again and again, each with changes in two data sources:
 * nothing is left of the victims, in the databases or in the pools. {@code -Ddeadlock.rounds=5000}
 * for many more.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class DeadlockIT {

  private static final int ROUNDS = Integer.getInteger("deadlock.rounds", 300);
  private static final int POOL = 10;
  private static final int DEADLOCK = 1213;

  /** For the log and the recovery of two-phase commits, descriptions, health. */
  private static final int OWN_CONNECTIONS = 8;

  private static XaFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = XaFixture.start(servers, "it_deadlock");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCAL", "XA"})
  void manyDeadlocksLeaveNothingBehind(String type) throws Exception {
    fixture.accounts(2, 2 * POOL + 4);
    try (Connection left = fixture.connect();
        Connection right = fixture.connect()) {
      for (Connection connection : List.of(left, right)) {
        run(connection, "SET transaction_type = '" + type + "'");
      }
      for (int i = 0; i < ROUNDS / 2; i++) {
        collide(left, right);
      }
      for (Connection connection : List.of(left, right)) {
        assertThat(one(connection, "SELECT @@in_transaction")).isEqualTo("0");
      }
    }
    for (MariaDbServer server : fixture.servers()) {
      Eventually.holds(
          "no transaction is left in " + server.name(), () -> !fixture.hasTransactions(server));
      Eventually.holds("all connections are idle", () -> fixture.connections(server, false) == 0);
      assertThat(fixture.connections(server, true))
          .as("those of the pools of sessions, of both kinds, and of the proxy's own")
          .isLessThanOrEqualTo(2 * POOL + OWN_CONNECTIONS);
    }
    assertThat(fixture.balances().subList(0, 2))
        .as("who survived has changed the account in each data source")
        .containsExactly(Integer.toString(100 + ROUNDS / 2), Integer.toString(100 + ROUNDS / 2));
    everyConnectionCanBeHad();
  }

  /**
   * No database sees a cycle through two of them, and this account may not ask who waits for whom:
   * who waits longest is told so.
   */
  @ParameterizedTest
  @ValueSource(strings = {"LOCAL", "XA"})
  void aDeadlockOverTwoDataSourcesEndsWithTheLockWait(String type) throws Exception {
    fixture.accounts(2, 2);
    try (Connection left = fixture.connect();
        Connection right = fixture.connect()) {
      for (Connection connection : List.of(left, right)) {
        run(connection, "SET transaction_type = '" + type + "'");
      }
      run(left, "SET innodb_lock_wait_timeout = 1", "BEGIN", change(2));
      run(right, "SET innodb_lock_wait_timeout = 120", "BEGIN", change(3));
      var other =
          CompletableFuture.runAsync(
              () -> {
                try {
                  run(right, change(2), "COMMIT");
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              },
              command -> Thread.ofVirtual().start(command));
      assertThatThrownBy(() -> run(left, change(3)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1205));
      assertThat(one(left, "SELECT @@in_transaction")).as("it is still open").isEqualTo("1");
      run(left, "ROLLBACK");
      other.join();
      run(left, "BEGIN", change(3), "COMMIT");
    }
    assertThat(fixture.balances()).containsExactly("101", "102");
  }

  private static String change(int account) {
    return "UPDATE account SET balance = balance + 1 WHERE id = " + account;
  }

  /** Both change 2 and 4 of one data source in opposite order, and 3 or 5 of the other. */
  private static void collide(Connection left, Connection right) throws Exception {
    run(left, "BEGIN", change(2));
    run(right, "BEGIN", change(4));
    run(left, change(7));
    run(right, change(9));
    var other =
        CompletableFuture.supplyAsync(
            () -> isVictim(left, 4), command -> Thread.ofVirtual().start(command));
    boolean isRightVictim = isVictim(right, 2);
    boolean isLeftVictim = other.join();
    assertThat(isLeftVictim).as("one of the two is the victim").isNotEqualTo(isRightVictim);
    Connection survivor = isLeftVictim ? right : left;
    run(survivor, change(3), "COMMIT");
  }

  /** Whether changing the account ends in a deadlock. */
  private static boolean isVictim(Connection connection, int account) {
    try {
      run(connection, change(account));
      return false;
    } catch (SQLException deadlock) {
      assertThat(deadlock.getErrorCode()).as(deadlock.getMessage()).isEqualTo(DEADLOCK);
      assertThat(deadlock.getSQLState()).isEqualTo("40001");
      return true;
    }
  }

  /** As many sessions as the pools have connections are in transactions at the same time. */
  private static void everyConnectionCanBeHad() throws SQLException {
    var open = new ArrayList<Connection>();
    try {
      for (int i = 0; i < POOL; i++) {
        Connection connection = fixture.connect();
        open.add(connection);
        run(
            connection,
            "BEGIN",
            "UPDATE account SET balance = 0 WHERE id = " + (2 + 2 * i),
            "UPDATE account SET balance = 0 WHERE id = " + (3 + 2 * i));
      }
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }
}
