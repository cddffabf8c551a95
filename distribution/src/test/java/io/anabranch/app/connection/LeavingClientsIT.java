package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that leave while they wait for a connection, and proxies that leave their clients. */
@ExtendWith(MariaDbServers.Resolver.class)
class LeavingClientsIT {

  private static final String SCHEMA = "it_leaving";

  private static MariaDbServer server;
  private static RunningProxy proxy;

  /** With two connections; {@code one} is a single table, {@code split} one of two parts. */
  private static RunningProxy proxy(String... properties) {
    return RunningProxy.start(
        List.of(properties),
        """
        databaseName: %1$s
        dataSources:
          ds_0: { url: "%2$s", username: %3$s, password: %4$s, maxPoolSize: 2, minPoolSize: 1, connectionTimeoutMilliseconds: 60000 }
        rules:
        - !SHARDING
          tables:
            split:
              actualDataNodes: ds_0.split_${0..1}
              tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          shardingAlgorithms:
            halves: { type: MOD, props: { sharding-count: 2 } }
        - !SINGLE
          tables: ["*.*"]
          defaultDataSource: ds_0
        """
            .formatted(SCHEMA, server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD));
  }

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = proxy();
    try (Connection connection = proxy.connect(SCHEMA);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE one (id INT PRIMARY KEY) ENGINE=InnoDB");
      statement.execute("CREATE TABLE split (id INT PRIMARY KEY) ENGINE=InnoDB");
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @CsvSource({"one,false", "one,true", "split,false", "split,true"})
  void whoLeavesWhileWaitingTakesNoConnectionAlong(String table, boolean inTransaction)
      throws SQLException, IOException {
    try (Connection watch = proxy.connect(SCHEMA);
        Statement processes = watch.createStatement()) {
      try (Connection first = holding();
          Connection second = holding()) {
        long id;
        try (var leaver =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
          id = leaver.connectionId();
          if (inTransaction) {
            leaver.ok("BEGIN");
          }
          leaver.send(("\u0003SELECT COUNT(*) FROM " + table).getBytes(StandardCharsets.UTF_8));
          Eventually.holds("it waits", () -> command(processes, id).equals("Query"));
        }
        Eventually.holds("it is gone", () -> command(processes, id).isEmpty());
        first.commit();
        second.commit();
      }
      // as many as there are connections, each in a transaction that keeps its own
      try (Connection first = holding();
          Connection second = holding()) {
        first.commit();
        second.commit();
      }
    }
  }

  /** As on a server, where a client's last statements are in the stream before its end. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatCameBeforeTheEndIsRun(boolean quits) throws SQLException, IOException {
    server.execute("DELETE FROM " + SCHEMA + ".one WHERE id >= 100");
    for (int id = 100; id < 110; id++) {
      try (var leaver =
          new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
        leaver.send(
            query("INSERT INTO one SELECT %d FROM (SELECT SLEEP(0.02)) AS slow".formatted(id)));
        if (quits) {
          leaver.send(new byte[] {1});
        }
      }
    }
    Eventually.holds(
        "all that was committed is there",
        () ->
            server
                .queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".one WHERE id >= 100")
                .equals("10"));
  }

  @Test
  void whoHasSaidAllGetsTheAnswer() throws IOException {
    try (var client =
        new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
      client.send(query("BEGIN"));
      client.send(query("INSERT INTO one VALUES (50)"));
      client.send(query("COMMIT"));
      client.send(query("BEGIN"));
      client.send(query("INSERT INTO one VALUES (51)"));
      client.send(query("COMMIT AND CHAIN"));
      client.send(query("INSERT INTO one VALUES (52)"));
      client.send(query("ROLLBACK"));
      client.send(
          query("SELECT 'the answer', SLEEP(0.1), COUNT(*) FROM one WHERE id IN (50, 51, 52)"));
      assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
          .contains("the answer\u00010\u00012");
    }
  }

  @Test
  void aTransactionWhoseClientHasLeftInTheMiddleIsRolledBack() throws SQLException, IOException {
    try (Connection holder = proxy.connect(SCHEMA);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("REPLACE INTO one VALUES (60)");
      try (var leaver =
          new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
        leaver.ok("BEGIN");
        leaver.ok("REPLACE INTO one VALUES (61)");
        leaver.send(query("REPLACE INTO one VALUES (60)"));
      }
      // its row would be locked as long as it waits for the other
      server.execute(
          "SET innodb_lock_wait_timeout = 30", "REPLACE INTO " + SCHEMA + ".one VALUES (61)");
      holder.rollback();
    }
  }

  private static byte[] query(String sql) {
    return ("\u0003" + sql).getBytes(StandardCharsets.UTF_8);
  }

  private static Connection holding() throws SQLException {
    Connection connection = proxy.connect(SCHEMA);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM one")) {
      assertThat(rows.next()).isTrue();
    }
    return connection;
  }

  /** Empty if there is no such client. */
  private static String command(Statement processes, long id) {
    try (ResultSet rows = processes.executeQuery("SHOW PROCESSLIST")) {
      String command = "";
      while (rows.next()) {
        command = rows.getLong("Id") == id ? rows.getString("Command") : command;
      }
      return command;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDrainWaitsForTransactionsThatAreIdle() throws SQLException, InterruptedException {
    RunningProxy leaving = proxy();
    try (Connection working = leaving.connect(SCHEMA);
        Connection begun = leaving.connect(SCHEMA);
        Connection idle = leaving.connect(SCHEMA);
        Statement statement = working.createStatement();
        Statement first = begun.createStatement()) {
      working.setAutoCommit(false);
      statement.execute("REPLACE INTO one VALUES (1)");
      first.execute("BEGIN");
      Thread drain = Thread.ofPlatform().start(leaving::close);
      Eventually.holds("who has nothing open is sent away", () -> !isValid(idle));
      assertThat(isValid(begun)).as("a transaction without a statement").isTrue();
      first.execute("REPLACE INTO one VALUES (4)");
      first.execute("COMMIT");
      statement.execute("REPLACE INTO one VALUES (2)");
      working.commit();
      drain.join();
      assertThat(isValid(working)).isFalse();
    }
    assertThat(server.queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".one WHERE id IN (1, 2, 4)"))
        .isEqualTo("3");
  }

  @Test
  void aDrainCutsOffTransactionsThatStayIdle() throws SQLException {
    RunningProxy leaving = proxy("proxy-drain-timeout-milliseconds: 200");
    try (Connection working = leaving.connect(SCHEMA);
        Statement statement = working.createStatement()) {
      working.setAutoCommit(false);
      statement.execute("REPLACE INTO one VALUES (3)");
      leaving.close();
      assertThat(isValid(working)).isFalse();
    }
    // the insert would wait for the row if it were still locked
    server.execute(
        "SET innodb_lock_wait_timeout = 30",
        "INSERT INTO " + SCHEMA + ".one VALUES (3)",
        "DELETE FROM " + SCHEMA + ".one WHERE id = 3");
  }

  /** In either lane and in none, as text and prepared: who waits for an answer gets one. */
  @ParameterizedTest
  @CsvSource({
    "SELECT SLEEP(30), false",
    "SELECT SLEEP(30), true",
    "SELECT SLEEP(30) FROM split, false",
    "SELECT SLEEP(30) FROM split, true",
    "SELECT * FROM one WHERE id = 7 FOR UPDATE, false",
    "SET @a = (SELECT id FROM one WHERE id = 7 FOR UPDATE), false",
    "SET autocommit = 1 + SLEEP(30), false",
    "SHOW VARIABLES WHERE Variable_name = 'autocommit' AND SLEEP(30), false",
  })
  void aCutOffIsTheAnswerOfWhatRuns(String sql, boolean isPrepared) throws Exception {
    server.execute(
        "REPLACE INTO " + SCHEMA + ".one VALUES (7)",
        "REPLACE INTO " + SCHEMA + ".split_0 VALUES (2)",
        "REPLACE INTO " + SCHEMA + ".split_1 VALUES (1)");
    RunningProxy leaving = proxy("proxy-drain-timeout-milliseconds: 200");
    try (Connection holder = holding7();
        Connection working = leaving.connect(SCHEMA, "useServerPrepStmts=" + isPrepared)) {
      long id = Long.parseLong(ReloadFolder.one(working, "SELECT CONNECTION_ID()"));
      var answer = new CompletableFuture<Transcript>();
      Thread.ofVirtual()
          .start(
              () ->
                  answer.complete(
                      isPrepared
                          ? Transcript.prepared(working, sql)
                          : Transcript.of(working, sql)));
      try (Connection watch = leaving.connect(SCHEMA);
          Statement processes = watch.createStatement()) {
        Eventually.holds("it runs", () -> runs(command(processes, id)));
      }
      leaving.close();
      assertThat(answer.get(20, TimeUnit.SECONDS).head()).startsWith("error 1053");
      holder.rollback();
    }
    server.execute("DELETE FROM " + SCHEMA + ".one", "DELETE FROM " + SCHEMA + ".split_0");
    server.execute("DELETE FROM " + SCHEMA + ".split_1");
  }

  private static boolean runs(String command) {
    return command.equals("Query") || command.equals("Execute");
  }

  /** Past the proxy. */
  private static Connection holding7() throws SQLException {
    Connection holder =
        RunningProxy.Driver.MARIADB.connect(
            server.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD);
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      statement.execute("SELECT * FROM one WHERE id = 7 FOR UPDATE");
    }
    return holder;
  }

  private static boolean isValid(Connection connection) {
    try {
      return connection.isValid(30);
    } catch (SQLException e) {
      return false;
    }
  }
}
