package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who is killed stands in nobody's way: it leaves the line for connections at once, and a statement
 * that its databases have ended costs none.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class KilledStatementsIT {

  private static final int POOL = 2;
  private static final int INTERRUPTED = 1317;

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    for (String schema : List.of("it_killed_0", "it_killed_1")) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, a INT)",
          "INSERT INTO " + schema + ".t VALUES (1, 1), (2, 2), (3, 3)");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: killed\ndataSources:\n"
                + source("ds_0", "it_killed_0")
                + source("ds_1", "it_killed_1")
                + """
                rules:
                - !SHARDING
                  tables:
                    t:
                      actualDataNodes: ds_${0..1}.t
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                  shardingAlgorithms:
                    two: { type: MOD, props: { sharding-count: 2 } }
                """);
  }

  private static String source(String name, String schema) {
    return RunningProxy.source(name, server, schema)
        .replace("maxPoolSize: 10", "maxPoolSize: " + POOL)
        .replace("connectionTimeoutMilliseconds: 3000", "connectionTimeoutMilliseconds: 60000");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static int run(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException failed) {
      return failed.getErrorCode();
    }
  }

  private static List<Long> running(Connection admin, String sql) throws SQLException {
    return rows(admin, "SHOW PROCESSLIST", row -> row.equals(sql), "Info");
  }

  private static List<Long> rows(
      Connection client, String sql, Predicate<String> wanted, String column) throws SQLException {
    var ids = new ArrayList<Long>();
    try (Statement statement = client.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        if (wanted.test(String.valueOf(result.getString(column)))) {
          ids.add(result.getLong("Id"));
        }
      }
    }
    return ids;
  }

  /** The database's connections from the proxy. */
  private static Set<Long> connections(Connection direct) throws SQLException {
    return new TreeSet<>(rows(direct, "SHOW PROCESSLIST", db -> db.startsWith("it_killed_"), "db"));
  }

  /** Once those that the database is still closing are gone. */
  private static Set<Long> settled(Connection direct) throws SQLException, InterruptedException {
    Set<Long> before = Set.of();
    Set<Long> now = connections(direct);
    while (!now.equals(before)) {
      Thread.sleep(300);
      before = now;
      now = connections(direct);
    }
    return now;
  }

  private static void kill(Connection admin, String sql, int count)
      throws SQLException, InterruptedException {
    List<Long> ids = running(admin, sql);
    while (ids.size() < count) {
      Thread.sleep(10);
      ids = running(admin, sql);
    }
    try (Statement kill = admin.createStatement()) {
      for (long id : ids) {
        kill.execute("KILL QUERY " + id);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT a FROM t WHERE id = 2",
        "UPDATE t SET a = a + 1 WHERE id = 2",
        "SELECT SUM(a) FROM t",
        "UPDATE t SET a = a + 1"
      })
  void whoWaitsForAConnectionLeavesTheLine(String sql) throws Exception {
    try (Connection admin = proxy.connect("killed");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var holders = new ArrayList<Connection>();
      var clients = new ArrayList<Connection>();
      try {
        for (int i = 0; i < 4; i++) {
          clients.add(proxy.connect("killed"));
          // plans it while there are connections
          assertThat(run(clients.get(i), sql)).isZero();
        }
        for (int i = 0; i < POOL; i++) {
          Connection holder = proxy.connect("killed");
          holders.add(holder);
          holder.setAutoCommit(false);
          assertThat(run(holder, "SELECT SUM(a) FROM t")).isZero();
        }
        List<Future<Integer>> answers =
            clients.stream().map(client -> threads.submit(() -> run(client, sql))).toList();
        kill(admin, sql, clients.size());
        for (Future<Integer> answer : answers) {
          assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(INTERRUPTED);
        }
        assertThat(running(admin, sql)).isEmpty();
      } finally {
        for (Connection holder : holders) {
          holder.close();
        }
      }
      for (Connection client : clients) {
        assertThat(run(client, sql)).isZero();
        client.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT SUM(a), MAX(SLEEP(20)) FROM t",
        "SELECT id, SLEEP(20) FROM t ORDER BY id",
        "SELECT id FROM t WHERE id = 2 AND SLEEP(20) = 0"
      })
  void aReadThatItsDatabasesEndCostsNoConnection(String sql) throws Exception {
    try (Connection admin = proxy.connect("killed");
        Connection client = proxy.connect("killed");
        Connection direct = server.connect("it_killed_0");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(run(client, "SELECT SUM(a) FROM t")).isZero();
      Set<Long> before = settled(direct);
      for (int i = 0; i < 5; i++) {
        Future<Integer> answer = threads.submit(() -> run(client, sql));
        while (rows(direct, "SHOW PROCESSLIST", info -> info.contains("SLEEP(20)"), "Info")
            .isEmpty()) {
          Thread.sleep(10);
        }
        kill(admin, sql, 1);
        assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(INTERRUPTED);
        assertThat(run(client, "SELECT SUM(a) FROM t")).isZero();
        assertThat(run(client, "SELECT a FROM t WHERE id = 2")).isZero();
      }
      assertThat(connections(direct)).containsAll(before);
    }
  }
}
