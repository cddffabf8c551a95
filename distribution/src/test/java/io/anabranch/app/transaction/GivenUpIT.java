package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.column;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaCluster;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is left of transactions whose statements could not run, or that the proxy has given up: a
 * connection that goes to another session has nothing of them, and nobody waits for their locks.
 * Even accounts are in the first database, odd ones in the second, to which there is one connection
 * alone.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class GivenUpIT {

  private static final String SCHEMA = "it_given_up";

  private final DatabaseServers servers;
  private final List<Connection> clients = new ArrayList<>();
  private RunningProxy proxy;
  private Connection direct;

  GivenUpIT(DatabaseServers servers) {
    this.servers = servers;
  }

  @BeforeEach
  void start() throws SQLException {
    servers.primaryA().execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    servers.primaryB().execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    String narrow =
        "  ds_1: { url: \"%s\", username: %s, password: %s, maxPoolSize: 1, minPoolSize: 1, connectionTimeoutMilliseconds: 300 }\n"
            .formatted(servers.primaryB().url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD);
    String sources = RunningProxy.source("ds_0", servers.primaryA(), SCHEMA) + narrow;
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: LOCAL
              props: { idle-limit-milliseconds: 1500 }
            """,
            List.of(),
            XaCluster.database(SCHEMA, sources));
    direct = servers.primaryA().connect(SCHEMA);
    run(
        connect(),
        "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL) ENGINE=InnoDB",
        "INSERT INTO account VALUES (1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1)");
  }

  @AfterEach
  void stop() throws SQLException {
    for (Connection client : clients) {
      client.close();
    }
    direct.close();
    proxy.close();
  }

  private Connection connect() throws SQLException {
    Connection client = proxy.connect(SCHEMA);
    clients.add(client);
    return client;
  }

  private static void fails(Connection client, String sql) {
    assertThatThrownBy(() -> run(client, sql)).as(sql).isInstanceOf(SQLException.class);
  }

  private List<String> balances() throws SQLException {
    return column(direct, "SELECT balance FROM account ORDER BY id");
  }

  private boolean isUnlocked(int id) {
    try {
      run(direct, "SELECT * FROM account WHERE id = " + id + " FOR UPDATE NOWAIT");
      return true;
    } catch (SQLException locked) {
      return false;
    }
  }

  /** A statement of two data sources that gets a connection to the one, and none to the other. */
  private Connection begunInVain(String begins) throws SQLException {
    Connection other = connect();
    run(other, "BEGIN", "UPDATE account SET balance = 2 WHERE id = 1");
    Connection mine = connect();
    run(mine, begins);
    fails(mine, "SELECT COUNT(*) FROM account");
    run(other, "ROLLBACK");
    return mine;
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN", "SET autocommit = 0"})
  void whatIsDueGoesInFrontOfTheNextStatement(String begins) throws SQLException {
    Connection mine = begunInVain(begins);
    run(mine, "UPDATE account SET balance = 5 WHERE id = 2");
    assertThat(balances()).containsOnly("1");
    run(mine, "ROLLBACK");
    assertThat(balances()).containsOnly("1");
    run(mine, "UPDATE account SET balance = 5 WHERE id = 2", "COMMIT");
    assertThat(balances()).startsWith("5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "COMMIT"})
  void nobodyElseBeginsWhatWasNotBegun(String ends) throws SQLException {
    Connection mine = begunInVain("BEGIN");
    run(mine, ends);
    for (int i = 0; i < 4; i++) {
      Connection next = connect();
      assertThat(column(next, "SELECT COUNT(*) FROM account")).containsExactly("6");
      run(next, "UPDATE account SET balance = balance + 1 WHERE id = 2");
      assertThat(balances()).startsWith(Integer.toString(i + 2));
      assertThat(column(next, "SELECT SUM(balance) FROM account"))
          .containsExactly(Integer.toString(i + 7));
    }
  }

  @Test
  void locksGoWithATransactionWhoseConnectionStays() throws SQLException {
    Connection mine = connect();
    run(mine, "DO GET_LOCK('it_given_up', 1)", "BEGIN");
    run(mine, "UPDATE account SET balance = 5 WHERE id IN (2, 4)");
    assertThat(isUnlocked(2)).isFalse();
    Eventually.holds("it is rolled back", () -> isUnlocked(2));
    fails(mine, "SELECT COUNT(*) FROM account WHERE id = 2");
    run(mine, "ROLLBACK");
    assertThat(balances()).containsOnly("1");
    assertThat(column(mine, "SELECT RELEASE_LOCK('it_given_up')")).containsExactly("1");
    run(mine, "UPDATE account SET balance = 7 WHERE id = 2");
    assertThat(balances()).startsWith("7");
  }

  @Test
  void cursorsGiveBackConnectionsWithoutATransaction() throws SQLException {
    Connection mine =
        RunningProxy.Driver.MYSQL.connect(
            proxy.port(),
            SCHEMA,
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            "useCursorFetch=true",
            "useServerPrepStmts=true");
    clients.add(mine);
    mine.setAutoCommit(false);
    run(mine, "UPDATE account SET balance = 5 WHERE id = 2");
    try (PreparedStatement reads =
        mine.prepareStatement("SELECT id, balance FROM account WHERE id IN (2, 4, 6, 8)")) {
      reads.setFetchSize(1);
      try (ResultSet rows = reads.executeQuery()) {
        assertThat(rows.next()).isTrue();
        Eventually.holds("it is rolled back", () -> isUnlocked(2));
      } catch (SQLException gone) {
        assertThat(gone.getErrorCode()).isPositive();
      }
    }
    for (int i = 0; i < 4; i++) {
      Connection next = connect();
      run(next, "UPDATE account SET balance = balance + 1 WHERE id = 2");
      assertThat(balances()).startsWith(Integer.toString(i + 2));
    }
    mine.rollback();
    assertThat(balances()).startsWith("5");
  }
}
