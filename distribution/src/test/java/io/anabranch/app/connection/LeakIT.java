package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Whatever clients do to their connections, nothing of them stays: file descriptors, sessions,
 * leased connections, prepared statements, sessions on the database and heap are as they were.
 *
 * <p>{@code -Dleak.rounds} says how many times each misdeed is done (the profile {@code soak} does
 * them 2000 times, which makes 10 000 connects). One round comes first and is not counted: it loads
 * classes and fills pools.
 */
class LeakIT {

  private static final int ROUNDS = Integer.getInteger("leak.rounds", 10);
  private static final int POOL = 10;
  private static final long HEAP_SLACK = 24L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DATABASE = "leak";

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    server = MariaDbServer.start("leak");
    server.execute("CREATE DATABASE " + DATABASE);
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: leak\ndataSources:\n"
                + RunningProxy.source("ds_0", server, DATABASE)
                + "rules: []\n");
    try (Connection connection = proxy.connect(DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, text VARCHAR(1000)) ENGINE=InnoDB");
      statement.execute("INSERT INTO t SELECT seq, REPEAT('x', 1000) FROM seq_1_to_5000");
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  @Test
  void nothingStaysOfClientsThatMisbehave() throws SQLException, IOException {
    round();
    settle();
    long descriptors = descriptors();
    long heap = heap();
    for (int i = 0; i < ROUNDS; i++) {
      round();
    }
    settle();
    await("file descriptors", LeakIT::descriptors, descriptors + POOL);
    assertThat(heap()).as("bytes of heap in use").isLessThan(heap + HEAP_SLACK);
    allConnectionsCanBeLeased();
  }

  /** The pool's connections and this one; no statement prepared that a cache does not bound. */
  private static void settle() throws SQLException {
    await("sessions of the proxy", () -> count(proxy.port(), "app", "SHOW PROCESSLIST"), 1);
    await(
        "sessions of the database",
        () -> count(server.port(), MariaDbServer.USER, "SHOW PROCESSLIST"),
        POOL + 3);
    await(
        "open transactions",
        () ->
            count(
                server.port(),
                MariaDbServer.USER,
                "SELECT trx_id FROM information_schema.innodb_trx"),
        0);
    String prepared =
        server.queryOne(
            "SELECT variable_value FROM information_schema.global_status"
                + " WHERE variable_name = 'PREPARED_STMT_COUNT'");
    assertThat(Long.parseLong(prepared)).as("prepared statements").isLessThan(POOL * 16);
  }

  private static void round() throws SQLException, IOException {
    leavesInTransaction();
    leavesResultUnread();
    leavesStatementsPrepared();
    isKilled();
    failsToLogIn();
    leavesHalfway();
  }

  private static void leavesInTransaction() throws SQLException {
    Connection connection = proxy.connect(DATABASE);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE t SET text = 'gone' WHERE id = 1");
      statement.execute("CREATE TEMPORARY TABLE pinned (a INT)");
      statement.execute("SELECT GET_LOCK('leak', 10)");
    } finally {
      connection.abort(Runnable::run);
    }
  }

  private static void leavesResultUnread() throws SQLException {
    Connection connection = proxy.connect(DATABASE);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(1);
      try (ResultSet rows =
          statement.executeQuery("SELECT a.text FROM t a JOIN t b LIMIT 100000")) {
        assertThat(rows.next()).isTrue();
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // Closing a result of an aborted connection: the driver may say so.
      assertThat(connection.isClosed()).isTrue();
    }
  }

  private static void leavesStatementsPrepared() throws SQLException {
    Connection connection =
        proxy.connect(DATABASE, "useServerPrepStmts=true", "cachePrepStmts=false");
    try {
      for (int i = 0; i < 20; i++) {
        PreparedStatement statement =
            connection.prepareStatement("SELECT ? + " + i + " FROM t WHERE id = ?");
        statement.setInt(1, i);
        statement.setInt(2, i);
        statement.execute();
      }
    } finally {
      connection.abort(Runnable::run);
    }
  }

  private static void isKilled() throws SQLException {
    try (Connection victim = proxy.connect(DATABASE);
        Connection killer = proxy.connect(DATABASE);
        Statement statement = victim.createStatement();
        Statement kill = killer.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("UPDATE t SET text = 'killed' WHERE id = 2");
      long id;
      try (ResultSet rows = statement.executeQuery("SELECT CONNECTION_ID()")) {
        assertThat(rows.next()).isTrue();
        id = rows.getLong(1);
      }
      kill.execute("KILL " + id);
    }
  }

  private static void failsToLogIn() {
    try {
      Driver.MARIADB.connect(proxy.port(), DATABASE, RunningProxy.USER, "wrong").close();
      throw new AssertionError("logged in with a wrong password");
    } catch (SQLException e) {
      assertThat(e.getErrorCode()).isEqualTo(1045);
    }
  }

  private static void leavesHalfway() throws IOException {
    var loopback = InetAddress.getLoopbackAddress();
    try (var silent = new Socket(loopback, proxy.port());
        var half = new Socket(loopback, proxy.port());
        var rude = new Socket(loopback, proxy.port())) {
      half.setSoTimeout((int) PATIENCE.toMillis());
      InputStream in = half.getInputStream();
      assertThat(in.readNBytes(5)[4]).as("greeting").isEqualTo((byte) 10);
      half.shutdownOutput();
      assertThat(in.readAllBytes()).isNotEmpty();
      rude.setSoLinger(true, 0);
      rude.getOutputStream().write(new byte[] {32, 0, 0, 1, 5});
      assertThat(silent.isConnected()).isTrue();
    }
  }

  /** As many transactions at once as the pool has connections: none has been lost. */
  private static void allConnectionsCanBeLeased() throws SQLException {
    var connections = new ArrayList<Connection>();
    try {
      for (int i = 0; i < POOL; i++) {
        Connection connection = proxy.connect(DATABASE);
        connections.add(connection);
        connection.setAutoCommit(false);
        assertThat(Transcript.of(connection, "SELECT COUNT(*) FROM t").isError())
            .as("lease %d of %d", i + 1, POOL)
            .isFalse();
      }
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private static long count(int port, String user, String query) {
    String password =
        user.equals(RunningProxy.USER) ? RunningProxy.PASSWORD : MariaDbServer.PASSWORD;
    try (Connection connection = Driver.MARIADB.connect(port, DATABASE, user, password);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      long count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long descriptors() {
    var system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
    return system.getOpenFileDescriptorCount();
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** What ends in the background ends soon; the figure says what did not. */
  private static void await(String what, LongSupplier now, long atMost) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long seen = now.getAsLong();
    while (seen > atMost && System.nanoTime() < deadline) {
      // not more often: InnoDB's tables of transactions stand still while they are read
      LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
      seen = now.getAsLong();
    }
    assertThat(seen).as(what).isLessThanOrEqualTo(atMost);
  }
}
