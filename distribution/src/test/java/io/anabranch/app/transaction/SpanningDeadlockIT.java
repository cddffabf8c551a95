package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions that wait for each other over two data sources: even accounts are in the one, odd
 * ones in the other. Lock waits would last 50 seconds and end with 1205, waits for connections 30
 * and end with 1040.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class SpanningDeadlockIT {

  private static final int DEADLOCK = 1213;

  private final MariaDbServers servers;
  private final List<Connection> clients = new ArrayList<>();
  private final Queue<Connection> ready = new ArrayDeque<>();
  private XaFixture fixture;

  SpanningDeadlockIT(MariaDbServers servers) {
    this.servers = servers;
  }

  @BeforeEach
  void start() throws SQLException {
    start(5);
  }

  private void start(int poolSize) throws SQLException {
    fixture = XaFixture.start(servers, "it_spanning", poolSize, true);
    fixture.accounts(2, 10);
  }

  @AfterEach
  void stop() throws SQLException {
    for (Connection client : clients) {
      client.close();
    }
    clients.clear();
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCAL", "XA"})
  void oneOfTwoThatWaitForEachOthersRowsGivesWay(String type) throws Exception {
    Connection left = begin(type, change(2));
    Connection right = begin(type, change(3));
    var attempts = List.of(attempt(left, change(3)), attempt(right, change(2)));
    oneGivesWay(attempts, List.of(left, right));
    assertThat(fixture.balances()).startsWith("101", "101", "100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOCAL", "XA"})
  void statementsOverSeveralDataSourcesGiveWayToo(String type) throws Exception {
    Connection left = begin(type, change(2));
    Connection right = begin(type, change(3));
    var attempts =
        List.of(
            attempt(left, "UPDATE account SET balance = balance + 1 WHERE id IN (3, 4)"),
            attempt(right, "UPDATE account SET balance = balance + 1 WHERE id IN (2, 5)"));
    oneGivesWay(attempts, List.of(left, right));
    assertThat(fixture.balances()).startsWith("101", "101").endsWith("100");
  }

  @Test
  void oneOfThreeInACircleGivesWay() throws Exception {
    Connection first = begin("LOCAL", change(2), change(7));
    Connection second = begin("XA", change(3));
    Connection third = begin("LOCAL", change(4));
    oneGivesWay(
        List.of(attempt(first, change(3)), attempt(second, change(4)), attempt(third, change(7))),
        List.of(first, second, third));
  }

  @Test
  void oneOfTwoThatWaitForEachOthersConnectionsGivesWay() throws Exception {
    restart(1, 2);
    Connection left = begin("LOCAL", change(2));
    Connection right = begin("LOCAL", change(3));
    oneGivesWay(List.of(attempt(left, change(5)), attempt(right, change(4))), List.of(left, right));
  }

  /** One waits for a row of another that waits for a connection, which the one has. */
  @Test
  void whoWaitsForConnectionsOfThoseWhoWaitForItsRowsIsInADeadlock() throws Exception {
    restart(2, 3);
    Connection holder = begin("LOCAL", change(2));
    Connection one = begin("LOCAL", change(3));
    Connection two = begin("LOCAL", change(5));
    oneGivesWay(
        List.of(
            attempt(holder, change(7)),
            attempt(one, change(2)),
            attempt(two, "SELECT COUNT(*) FROM account WHERE id = 4")),
        List.of(holder, one, two));
  }

  /** A long wait for somebody who can go on is none of our business. */
  @Test
  void whoWaitsForOneThatCanGoOnIsLeftAlone() throws Exception {
    Connection holder = begin("LOCAL", change(2), change(3));
    Connection next = begin("LOCAL", change(5));
    Connection last = begin("XA", change(4));
    var others = List.of(attempt(next, change(2)), attempt(last, change(5)));
    for (MariaDbServer server : fixture.servers()) {
      Eventually.holds(
          "a lock wait of several checks in " + server.name(),
          () ->
              server
                  .queryOne(
                      "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK"
                          + " WAIT' AND trx_wait_started < NOW() - INTERVAL 3 SECOND")
                  .equals("1"));
    }
    run(holder, "COMMIT");
    assertThat(joined(others)).as("victims").containsOnly(false);
    nothingIsLeft();
  }

  /** With fewer connections than a client's driver asks for when it connects later. */
  private void restart(int poolSize, int clientsBefore) throws SQLException {
    fixture.close();
    start(poolSize);
    for (int i = 0; i < clientsBefore; i++) {
      ready.add(connect());
    }
  }

  private Connection connect() throws SQLException {
    Connection client = fixture.connect();
    run(client, "SET innodb_lock_wait_timeout = 50");
    return client;
  }

  private Connection begin(String type, String... statements) throws SQLException {
    Connection client = ready.isEmpty() ? connect() : ready.remove();
    clients.add(client);
    run(client, "SET transaction_type = '" + type + "'", "BEGIN");
    run(client, statements);
    return client;
  }

  private static String change(int account) {
    return "UPDATE account SET balance = balance + 1 WHERE id = " + account;
  }

  /** Commits if the statement succeeds; completes with whether that ended in a deadlock. */
  private static CompletableFuture<Boolean> attempt(Connection client, String statement) {
    var done = new CompletableFuture<Boolean>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                run(client, statement, "COMMIT");
                done.complete(false);
              } catch (SQLException error) {
                if (error.getErrorCode() == DEADLOCK && error.getSQLState().equals("40001")) {
                  done.complete(true);
                } else {
                  done.completeExceptionally(error);
                }
              }
            });
    return done;
  }

  /** Fails when a wait has come to its timeout. */
  private static List<Boolean> joined(List<CompletableFuture<Boolean>> attempts) throws Exception {
    var results = new ArrayList<Boolean>();
    for (CompletableFuture<Boolean> attempt : attempts) {
      results.add(attempt.get(100, TimeUnit.SECONDS));
    }
    return results;
  }

  /** The others commit; the victim has no transaction and can begin another at once. */
  private void oneGivesWay(List<CompletableFuture<Boolean>> attempts, List<Connection> all)
      throws Exception {
    List<Boolean> victims = joined(attempts);
    assertThat(victims).as("victims").containsOnlyOnce(true);
    Connection victim = all.get(victims.indexOf(true));
    assertThat(one(victim, "SELECT @@in_transaction")).isEqualTo("0");
    run(victim, "BEGIN", change(10), "COMMIT");
    nothingIsLeft();
  }

  private void nothingIsLeft() {
    for (MariaDbServer server : fixture.servers()) {
      Eventually.holds(
          "no transaction is left in " + server.name(), () -> !fixture.hasTransactions(server));
    }
  }
}
