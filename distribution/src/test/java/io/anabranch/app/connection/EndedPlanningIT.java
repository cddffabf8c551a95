package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Statements that wait for what a database tells of their tables end when they are killed, and when
 * their client goes: otherwise what is killed over and over fills the proxy.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class EndedPlanningIT {

  private static final int CLIENTS = 20;
  private static final int INTERRUPTED = 1317;

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryB();
    for (String schema : List.of("it_ended_0", "it_ended_1")) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, a INT)",
          "INSERT INTO " + schema + ".t VALUES (1, 1)",
          "CREATE TABLE " + schema + ".u AS SELECT * FROM " + schema + ".t");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: ended\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "it_ended_0")
                + RunningProxy.source("ds_1", server, "it_ended_1")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                    u:
                      actualDataNodes: ds_${0..1}.u
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                  shardingAlgorithms:
                    two: { type: MOD, props: { sharding-count: 2 } }
                """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static int read(Connection client, String table) {
    try (Statement statement = client.createStatement();
        ResultSet result = statement.executeQuery("SELECT SUM(a) FROM " + table + " WHERE a < 5")) {
      result.next();
      return result.getInt(1);
    } catch (SQLException failed) {
      return -failed.getErrorCode();
    }
  }

  private static List<Long> running(Connection admin) throws SQLException {
    var ids = new ArrayList<Long>();
    try (Statement statement = admin.createStatement();
        ResultSet result = statement.executeQuery("SHOW PROCESSLIST")) {
      while (result.next()) {
        if (String.valueOf(result.getString("Info")).startsWith("SELECT SUM")) {
          ids.add(result.getLong("Id"));
        }
      }
    }
    return ids;
  }

  private static void awaitRunning(Connection admin, int count)
      throws SQLException, InterruptedException {
    while (running(admin).size() != count) {
      Thread.sleep(10);
    }
  }

  @Test
  void ofThoseThatAreKilledAndThoseThatGo() throws Exception {
    // nobody has asked about a table yet
    areEnded("t");
    // there are connections for that
    areEnded("u");
  }

  /**
   * Many who meet a statement for the first time, behind a restart or a change of a table, have few
   * connections to ask by: those who came last waited for so long that they were refused.
   */
  @Test
  void whatManyAskIsAskedOnce() throws Exception {
    try (Connection admin = proxy.connect("ended");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Connection>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(proxy.connect("ended"));
      }
      assertThat(read(admin, "t")).isEqualTo(2);
      long before = prepared();
      server.pause();
      List<Future<Integer>> answers;
      try {
        answers =
            clients.stream()
                .map(client -> threads.submit(() -> read(client, "t AS another")))
                .toList();
        awaitRunning(admin, CLIENTS);
        try (Statement kill = admin.createStatement()) {
          kill.execute("KILL QUERY " + running(admin).getFirst());
        }
        awaitRunning(admin, CLIENTS - 1);
      } finally {
        server.goOn();
      }
      var told = new ArrayList<Integer>();
      for (Future<Integer> answer : answers) {
        told.add(answer.get(60, TimeUnit.SECONDS));
      }
      assertThat(told).containsOnly(2, -INTERRUPTED).containsOnlyOnce(-INTERRUPTED);
      // by the first, and by the next if that was the first
      assertThat(prepared() - before).isBetween(1L, 4L);
    }
  }

  private static long prepared() throws SQLException {
    try (Connection direct = server.connect("");
        Statement statement = direct.createStatement();
        ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_stmt_prepare'")) {
      row.next();
      return row.getLong(2);
    }
  }

  private static void areEnded(String table) throws Exception {
    try (Connection admin = proxy.connect("ended");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Connection>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(proxy.connect("ended"));
      }
      server.pause();
      try {
        List<Future<Integer>> answers =
            clients.stream().map(client -> threads.submit(() -> read(client, table))).toList();
        awaitRunning(admin, CLIENTS);
        try (Statement kill = admin.createStatement()) {
          for (long id : running(admin)) {
            kill.execute("KILL QUERY " + id);
          }
        }
        for (Future<Integer> answer : answers) {
          assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(-INTERRUPTED);
        }
        awaitRunning(admin, 0);

        answers =
            clients.stream().map(client -> threads.submit(() -> read(client, table))).toList();
        awaitRunning(admin, CLIENTS);
        for (Connection client : clients) {
          client.abort(Runnable::run);
        }
        awaitRunning(admin, 0);
        for (Future<Integer> answer : answers) {
          answer.get(60, TimeUnit.SECONDS);
        }
      } finally {
        server.goOn();
      }
      // a login may have failed meanwhile, which is tried again a little later
      Eventually.holds("it answers again", () -> read(admin, table) == 2);
    }
  }
}
