package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data sources that are given a rest. The database fails where a row of a table tells its procedure
 * to.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class CircuitBreakerIT {

  private static final String SCHEMA = "it_breaker";
  private static final int REST = 1429;
  private static final String FOR_GOOD = "openMilliseconds: 3600000";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private @Nullable RunningProxy started;
  private @Nullable Connection admin;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_breaker",
        "CREATE DATABASE it_breaker",
        "CREATE TABLE it_breaker.t (id INT PRIMARY KEY)",
        "CREATE TABLE it_breaker.mood (bad INT, slow INT)",
        "INSERT INTO it_breaker.mood VALUES (0, 0)",
        "CREATE PROCEDURE it_breaker.ask() BEGIN"
            + " IF (SELECT bad FROM it_breaker.mood) THEN"
            + " SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1041, MESSAGE_TEXT = 'no memory'; END IF;"
            + " DO SLEEP((SELECT slow FROM it_breaker.mood) * 0.05); SELECT 1; END");
    folder = new ReloadFolder(temporary);
    folder.global("");
  }

  @AfterEach
  void stop() throws SQLException {
    threads.shutdown();
    Objects.requireNonNull(admin).close();
    proxy().close();
  }

  /** Drivers have questions for the database when they connect: whoever looks is there before. */
  private void start(String breaker) throws IOException, SQLException {
    configure(breaker);
    started = RunningProxy.startFrom(temporary);
    admin = proxy().connect(SCHEMA);
  }

  private void configure(String breaker) throws IOException {
    folder.write(
        "database-0.yaml",
        """
        databaseName: it_breaker
        dataSources:
          ds_0:
            url: "%s"
            username: %s
            password: %s
            maxPoolSize: 6
        %s
        rules: []
        """
            .formatted(
                server.url(SCHEMA), MariaDbServer.USER, MariaDbServer.PASSWORD, breaker.indent(4)));
  }

  private static String breaker(String more) {
    return "circuitBreaker: { statements: 4, errorPercent: 10, trials: 2, %s }".formatted(more);
  }

  private RunningProxy proxy() {
    return Objects.requireNonNull(started);
  }

  /** 0, or the number of the error. */
  private static int run(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static String error(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String state(String column) {
    try (Statement statement = Objects.requireNonNull(admin).createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM anabranch.data_sources")) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(column));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void fails(boolean bad) {
    server.execute("UPDATE it_breaker.mood SET bad = " + (bad ? 1 : 0));
  }

  /**
   * Asks until another session is refused. Who calls a procedure keeps its connection, and is not
   * refused; the driver and the proxy have questions of their own, which are answered well.
   */
  private static void askUntilItOpens(Connection asking, Connection other, int expected) {
    for (int i = 0; i < 20 && run(other, "SELECT id FROM t") == 0; i++) {
      assertThat(run(asking, "CALL ask()")).isEqualTo(expected);
    }
    assertThat(run(other, "SELECT id FROM t")).isEqualTo(REST);
  }

  private static void ask(Connection client, int times, int expected) {
    for (int i = 0; i < times; i++) {
      assertThat(run(client, "CALL ask()")).isEqualTo(expected);
    }
  }

  @Test
  void clientsMistakesNeverOpenIt() throws Exception {
    start(breaker(FOR_GOOD));
    try (Connection client = proxy().connect(SCHEMA)) {
      assertThat(run(client, "INSERT INTO t VALUES (1)")).isZero();
      for (int i = 0; i < 10; i++) {
        assertThat(run(client, "INSERT INTO t VALUES (1)")).isEqualTo(1062);
        assertThat(run(client, "SELECT nothing FROM t")).isEqualTo(1054);
        assertThat(run(client, "SELECT * FROM nowhere")).isEqualTo(1146);
        assertThat(run(client, "SIGNAL SQLSTATE '45000'")).isEqualTo(1644);
        assertThat(run(client, "SIGNAL SQLSTATE '08004' SET MYSQL_ERRNO = 1040")).isEqualTo(1040);
        assertThat(
                run(client, "BEGIN NOT ATOMIC SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1041; END"))
            .isEqualTo(1041);
        assertThat(run(client, "EXECUTE IMMEDIATE 'SIGNAL SQLSTATE ''HY000'' SET MYSQL_ERRNO = 3'"))
            .isEqualTo(3);
        assertThat(
                run(client, "PREPARE raise FROM 'SIGNAL SQLSTATE ''HY000'' SET MYSQL_ERRNO = 3'"))
            .isZero();
        assertThat(run(client, "EXECUTE raise")).isEqualTo(3);
        assertThat(run(client, "SET STATEMENT max_statement_time = 0.001 FOR SELECT SLEEP(1)"))
            .isIn(0, 1969);
      }
      assertThat(run(client, "SELECT id FROM t")).isZero();
    }
    assertThat(state("breaker")).isEqualTo("CLOSED");
    assertThat(state("breaker_opened")).isEqualTo("0");
  }

  @Test
  void opensForErrorsOfTheServerAndLeavesTransactionsAlone() throws Exception {
    start(breaker(FOR_GOOD));
    try (Connection client = proxy().connect(SCHEMA);
        Connection asking = proxy().connect(SCHEMA);
        Connection working = proxy().connect(SCHEMA)) {
      working.setAutoCommit(false);
      assertThat(run(working, "INSERT INTO t VALUES (7)")).isZero();
      fails(true);
      askUntilItOpens(asking, client, 1041);
      assertThat(error(client, "SELECT id FROM t"))
          .contains("AB3027", "ds_0", "errors of the server", "try again in");
      assertThat(run(client, "SELECT id FROM t")).isEqualTo(REST);
      assertThat(state("breaker")).isEqualTo("OPEN");
      assertThat(state("breaker_opened")).isEqualTo("1");
      assertThat(run(working, "INSERT INTO t VALUES (8)")).isZero();
      working.commit();
    }
    try (Connection direct = server.connect(SCHEMA)) {
      assertThat(ReloadFolder.column(direct, "SELECT id FROM t ORDER BY id"))
          .containsExactly("7", "8");
    }
  }

  @Test
  void preparedStatementsAreCountedToo() throws Exception {
    start(breaker(FOR_GOOD));
    fails(true);
    try (Connection other = proxy().connect(SCHEMA);
        Connection client =
            RunningProxy.Driver.MYSQL.connect(
                proxy().port(),
                SCHEMA,
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                RunningProxy.Driver.MYSQL.serverPrepare())) {
      for (int i = 0; i < 4; i++) {
        try (PreparedStatement call = client.prepareStatement("CALL ask()")) {
          assertThat(catchThrowableOfType(SQLException.class, call::execute).getErrorCode())
              .isEqualTo(1041);
        }
      }
      assertThat(run(other, "SELECT id FROM t")).isEqualTo(REST);
    }
  }

  @Test
  void closesWhenTheDatabaseIsWellAgain() throws Exception {
    start(breaker("openMilliseconds: 20"));
    try (Connection client = proxy().connect(SCHEMA);
        Connection asking = proxy().connect(SCHEMA)) {
      fails(true);
      askUntilItOpens(asking, client, 1041);
      assertThat(Integer.parseInt(state("breaker_opened"))).isPositive();
      fails(false);
      Eventually.holds(
          "it is closed",
          () -> run(client, "SELECT id FROM t") == 0 && state("breaker").equals("CLOSED"));
      ask(client, 10, 0);
    }
  }

  @Test
  void opensForSlowAnswers() throws Exception {
    start(breaker("slowMilliseconds: 50, slowPercent: 10, " + FOR_GOOD));
    server.execute("UPDATE it_breaker.mood SET slow = 1");
    try (Connection client = proxy().connect(SCHEMA);
        Connection asking = proxy().connect(SCHEMA)) {
      askUntilItOpens(asking, client, 0);
      assertThat(error(client, "SELECT id FROM t")).contains("AB3027", "50 ms or longer");
    }
  }

  @Test
  void brokenConnectionsOpenItAndKilledOnesDoNot() throws Exception {
    start(breaker(FOR_GOOD));
    for (int i = 0; i < 10; i++) {
      try (Connection client = proxy().connect(SCHEMA)) {
        kill(client);
      }
    }
    assertThat(state("breaker")).isEqualTo("CLOSED");
    try (Connection client = proxy().connect(SCHEMA)) {
      for (int i = 0; i < 20 && run(client, "SELECT id FROM t") == 0; i++) {
        var running =
            CompletableFuture.runAsync(() -> run(client, "SELECT SLEEP(1000) AS broken"), threads);
        Eventually.holds("its connection is broken", () -> cut() && running.isDone());
      }
      assertThat(run(client, "SELECT id FROM t")).isEqualTo(REST);
    }
  }

  /** Breaks the connections of such statements behind the proxy's back. */
  private boolean cut() {
    try (Connection direct = server.connect("")) {
      for (String thread : threads(direct)) {
        server.execute("KILL CONNECTION " + thread);
      }
      return true;
    } catch (SQLException | IllegalStateException goneMeanwhile) {
      return false;
    }
  }

  private static List<String> threads(Connection direct) {
    try {
      return ReloadFolder.column(
          direct,
          "SELECT id FROM information_schema.processlist WHERE info = 'SELECT SLEEP(1000) AS broken'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends a session from another one while its statement runs. */
  private void kill(Connection client) throws Exception {
    String id = ReloadFolder.one(client, "SELECT CONNECTION_ID()");
    var running =
        CompletableFuture.runAsync(() -> run(client, "SELECT SLEEP(1000) AS broken"), threads);
    try (Connection direct = server.connect("");
        Connection admin = proxy().connect(SCHEMA)) {
      Eventually.holds("it runs", () -> !threads(direct).isEmpty());
      assertThat(run(admin, "KILL " + id)).isZero();
      Eventually.holds("it has ended", () -> running.isDone() && threads(direct).isEmpty());
    }
  }

  /** The server ends answers that nobody reads: that says nothing of the server. */
  @Test
  void clientsThatDoNotReadNeverOpenIt() throws Exception {
    server.execute("SET GLOBAL net_write_timeout = 1");
    try {
      start(breaker(FOR_GOOD));
      var broken = new ArrayList<CompletableFuture<Boolean>>();
      for (int i = 0; i < 4; i++) {
        broken.add(CompletableFuture.supplyAsync(this::isBrokenOff, threads));
      }
      for (CompletableFuture<Boolean> each : broken) {
        assertThat(each.get()).as("the answer broke off").isTrue();
      }
    } finally {
      server.execute("SET GLOBAL net_write_timeout = 60");
    }
    assertThat(state("breaker")).isEqualTo("CLOSED");
    assertThat(state("breaker_opened")).isEqualTo("0");
  }

  /** Reads the beginning of a long answer, and no more before the server has given up. */
  private boolean isBrokenOff() {
    try (Connection client = proxy().connect(SCHEMA);
        Connection direct = server.connect("");
        Statement statement = client.createStatement()) {
      statement.setFetchSize(1);
      String text = "SELECT REPEAT('x', 1000), 'unread' FROM seq_1_to_1000000";
      try (ResultSet rows = statement.executeQuery(text)) {
        rows.next();
        Eventually.holds("the server has given up", () -> isGone(direct));
        while (rows.next()) {
          rows.getString(1);
        }
        return false;
      }
    } catch (SQLException brokenOff) {
      return true;
    }
  }

  private static boolean isGone(Connection direct) {
    try {
      return ReloadFolder.column(
              direct,
              "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT REPEAT%unread%'")
          .isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void changesByReload() throws Exception {
    start(breaker(FOR_GOOD));
    try (Connection client = proxy().connect(SCHEMA);
        Connection asking = proxy().connect(SCHEMA)) {
      fails(true);
      askUntilItOpens(asking, client, 1041);
      assertThat(run(client, "SELECT id FROM t")).isEqualTo(REST);
      configure("");
      assertThat(run(client, "RELOAD CONFIGURATION")).isZero();
      assertThat(run(client, "SELECT id FROM t")).isZero();
      assertThat(state("breaker")).isEqualTo("null");
      ask(client, 10, 1041);
      configure("circuitBreaker: { often: 1 }");
      assertThat(error(client, "RELOAD CONFIGURATION"))
          .contains("database-0.yaml:8:23", "unknown key `often`");
    }
  }
}
