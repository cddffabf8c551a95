package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Limits of what users may take, seen by clients and by the database. */
@ExtendWith(MariaDbServers.Resolver.class)
class LimitsIT {
  private static final String SCHEMA = "it_limits";
  private static final String LONG = "SELECT SLEEP(1000) AS it_limits";
  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private @Nullable RunningProxy started;
  private final List<Connection> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_limits",
        "CREATE DATABASE it_limits",
        "CREATE TABLE it_limits.t (id INT PRIMARY KEY)");
    folder = new ReloadFolder(temporary);
    folder.write("database-0.yaml", RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterEach
  void stop() throws SQLException {
    endRunning();

    for (Connection client : clients) {
      client.close();
    }

    proxy().close();
    threads.close();
  }

  private void limits(String... lines) throws IOException {
    folder.write(
        "global.yaml",
        """
          authority:
            users:
            - { user: "%1$s@%%", password: %2$s, admin: true }
            - { user: one, password: one }
            - { user: two, password: two }
          props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
          limits:
            users:
              each: user
              exceptUsers: [%1$s]
          """
                .formatted(RunningProxy.USER, RunningProxy.PASSWORD)
            + String.join("\n", lines).indent(4));
  }

  private void start(String... lines) throws IOException {
    limits(lines);
    started = RunningProxy.startFrom(temporary);
  }

  private RunningProxy proxy() {
    return Objects.requireNonNull(started);
  }

  private Connection connect(String user) throws SQLException {
    Connection client = RunningProxy.Driver.MARIADB.connect(proxy().port(), SCHEMA, user, user);
    clients.add(client);
    return client;
  }

  private Connection admin() throws SQLException {
    Connection client = proxy().connect(SCHEMA);
    clients.add(client);
    return client;
  }

  private static int run(Connection client, String sql) {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static SQLException refusal(Connection client, String sql) {
    return catchThrowableOfType(
        SQLException.class,
        () -> {
          try (Statement statement = client.createStatement()) {
            statement.execute(sql);
          }
        });
  }

  private Future<Integer> runs(String user) throws SQLException {
    Connection client = connect(user);
    return threads.submit(() -> run(client, LONG));
  }

  private List<String> running() {
    try (Connection direct = server.connect("")) {
      return ReloadFolder.column(
          direct, "SELECT id FROM information_schema.processlist WHERE info = '" + LONG + "'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void endRunning() {
    while (!running().isEmpty()) {
      running().forEach(id -> server.execute("KILL QUERY " + id));
    }
  }

  private String inLine(Connection admin) {
    try {
      return String.join(
          ",",
          ReloadFolder.column(
              admin,
              "SELECT CONCAT(in_use, ' + ', waiting) FROM anabranch.limits WHERE kind = 'statements' AND subject = 'one'"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitLine(Connection admin, String expected) {
    Eventually.holds(expected, () -> inLine(admin).equals(expected));
  }

  private static long sessionOf(Connection admin, String condition) throws SQLException {
    return Long.parseLong(
        ReloadFolder.column(admin, "SELECT id FROM anabranch.sessions WHERE " + condition)
            .getFirst());
  }

  @Test
  void statementsWaitForOthersToEnd() throws Exception {
    start("statementsAtATime: 2", "queue: 10", "queueMilliseconds: 600000");
    Connection admin = admin();
    ArrayList<Future<Integer>> all = new ArrayList<>();

    for (int i = 0; i < 5; i++) {
      all.add(runs("one"));
    }

    awaitLine(admin, "2 + 3");
    Eventually.holds("two run", () -> running().size() == 2);
    Connection other = connect("two");
    assertThat(ReloadFolder.column(other, "SELECT 7"))
        .as("another user has places of its own")
        .contains("7");
    assertThat(run(connect("one"), "SET @a = 1")).as("the proxy's own answers wait not").isZero();
    List<String> first = running();
    first.forEach(id -> server.execute("KILL QUERY " + id));
    Eventually.holds(
        "two others run", () -> running().size() == 2 && all.stream().anyMatch(Future::isDone));
    awaitLine(admin, "2 + 1");
    assertThat((Throwable) refusal(other, "SELECT * FROM anabranch.limits")).isNotNull();
  }

  @Test
  void whoIsKilledOrLeavesWaitsNoMore() throws Exception {
    start("statementsAtATime: 1", "queue: 10", "queueMilliseconds: 600000");
    Connection admin = admin();
    Future<Integer> runs = runs("one");
    Eventually.holds("one runs", () -> running().size() == 1);
    long running = sessionOf(admin, "user = 'one'");
    Future<Integer> killed = runs("one");
    awaitLine(admin, "1 + 1");
    run(admin, "KILL QUERY " + sessionOf(admin, "user = 'one' AND id <> " + running));
    assertThat(killed.get()).isEqualTo(1317);
    awaitLine(admin, "1 + 0");
    Future<Integer> left = runs("one");
    awaitLine(admin, "1 + 1");
    clients.getLast().abort(Runnable::run);
    awaitLine(admin, "1 + 0");
    assertThat(left.get()).isNotZero();
    Future<Integer> ended = runs("one");
    awaitLine(admin, "1 + 1");
    run(
        admin,
        "KILL " + sessionOf(admin, "user = 'one' AND sql_text IS NOT NULL AND id <> " + running));
    assertThat(ended.get()).isNotZero();
    awaitLine(admin, "1 + 0");
    assertThat(runs.isDone()).isFalse();
    assertThat(running()).hasSize(1);
  }

  @Test
  void aWriteInLineIsNotDoneForAClientThatHasLeft() throws Exception {
    start("statementsAtATime: 1", "queue: 10", "queueMilliseconds: 600000");
    Connection admin = admin();
    runs("one");
    Eventually.holds("one runs", () -> running().size() == 1);
    Connection leaving = connect("one");
    Future<Integer> insert = threads.submit(() -> run(leaving, "INSERT INTO t VALUES (1)"));
    awaitLine(admin, "1 + 1");
    leaving.abort(Runnable::run);
    awaitLine(admin, "1 + 0");
    assertThat(insert.get()).isNotZero();
    endRunning();
    assertThat(ReloadFolder.column(connect("one"), "SELECT COUNT(*) FROM t")).containsExactly("0");
  }

  @Test
  void linesHaveAnEndAndADeadline() throws Exception {
    start("statementsAtATime: 1", "queue: 1", "queueMilliseconds: 600000");
    Connection admin = admin();
    runs("one");
    Eventually.holds("one runs", () -> running().size() == 1);
    Future<Integer> waits = runs("one");
    awaitLine(admin, "1 + 1");
    Connection client = connect("one");
    SQLException full = refusal(client, "SELECT 1 FROM t");
    assertThat((Throwable) full).hasMessageContaining("AB3033").hasMessageContaining("'users'");
    assertThat(full.getErrorCode()).isEqualTo(1226);
    limits("statementsAtATime: 1", "queue: 5", "queueMilliseconds: 20");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    SQLException late = refusal(client, "SELECT 1 FROM t");
    assertThat((Throwable) late).hasMessageContaining("AB3034").hasMessageContaining("20 ms");
    assertThat(late.getErrorCode()).isEqualTo(1226);
    assertThat(waits.isDone()).as("its deadline is that of its beginning").isFalse();
    assertThat(
            ReloadFolder.column(
                admin, "SELECT reached FROM anabranch.limits WHERE subject = 'one'"))
        .containsExactly("2");
    limits("statementsAtATime: 2", "queue: 5", "queueMilliseconds: 600000");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    Eventually.holds("both run", () -> running().size() == 2);
    limits("statementRate: 1000000");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    assertThat(run(client, "SELECT 1 FROM t")).isZero();
  }

  @Test
  void prepares() throws Exception {
    start("statementsAtATime: 1");
    Connection client =
        RunningProxy.Driver.MARIADB.connect(
            proxy().port(), SCHEMA, "one", "one", "useServerPrepStmts=true");
    clients.add(client);
    runs("one");
    Eventually.holds("one runs", () -> running().size() == 1);
    assertThatThrownBy(
            () -> {
              try (var prepared = client.prepareStatement("SELECT id FROM t WHERE id = ?")) {
                prepared.setInt(1, 1);
                prepared.executeQuery();
              }
            })
        .hasMessageContaining("AB3033");
    endRunning();
    Eventually.holds(
        "there is a place again", () -> run(client, "SELECT id FROM t WHERE id = 1") == 0);
  }

  @Test
  void oneStatementHasALimitOfItsOwn() throws Exception {
    start("maxConnections: 100");
    Connection admin = admin();
    Connection client = connect("one");
    run(client, LONG.replaceAll("\\d+", "0"));
    String digest = ReloadFolder.digest(admin, "%SLEEP%");
    folder.write(
        "global.yaml",
        Files.readString(temporary.resolve("global.yaml"))
            + """
              report:
                each: digest
                digests: [%s]
                statementsAtATime: 1
                queue: 1
                queueMilliseconds: 600000
              """
                .formatted(digest)
                .indent(2));
    assertThat(run(admin, "RELOAD CONFIGURATION")).isZero();
    Future<Integer> first = runs("one");
    Eventually.holds("one runs", () -> running().size() == 1);
    Future<Integer> second = runs("two");
    Eventually.holds(
        "another waits",
        () -> {
          try {
            return ReloadFolder.column(
                    admin,
                    "SELECT CONCAT(subject, in_use, waiting) FROM anabranch.limits WHERE limit_name = 'report'")
                .equals(List.of(digest + "11"));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat((Throwable) refusal(client, LONG))
        .hasMessageContaining("AB3033")
        .hasMessageContaining("report");
    assertThat((Throwable) refusal(client, "PREPARE p FROM '" + LONG + "'"))
        .as("preparing takes a place, too")
        .hasMessageContaining("AB3033");
    assertThat(run(client, "SELECT id FROM t")).as("of another digest").isZero();
    assertThat(running()).hasSize(1);
    running().forEach(id -> server.execute("KILL QUERY " + id));
    first.get();
    Eventually.holds("the other runs", () -> running().size() == 1);
    running().forEach(id -> server.execute("KILL QUERY " + id));
    second.get();
    Eventually.holds("all places are free", () -> run(client, LONG.replaceAll("\\d+", "0")) == 0);
  }

  @Test
  void statementsHaveARate() throws Exception {
    start("statementRate: 1", "statementBurst: 3");
    Connection client = connect("one");
    SQLException refused = null;

    int done;
    for (done = 0; refused == null; done += refused == null ? 1 : 0) {
      refused = refusal(client, "SELECT id FROM t");
    }

    assertThat(done).isGreaterThanOrEqualTo(3);
    assertThat((Throwable) refused)
        .hasMessageContaining("AB3035")
        .hasMessageContaining("try again in");
    assertThat(refused.getErrorCode()).isEqualTo(1226);
    assertThat(run(connect("two"), "SELECT id FROM t")).isZero();
    Eventually.holds("there is another", () -> run(client, "SELECT id FROM t") == 0);
  }

  @Test
  void connectionsAreCounted() throws Exception {
    start("maxConnections: 1");
    Connection admin = admin();
    Connection first = connect("one");
    assertThatThrownBy(() -> connect("one"))
        .hasMessageContaining("AB3031")
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1203));
    connect("two");
    limits("maxConnections: 2");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION"))
        .containsExactly("global: limits.users.maxConnections: 1 -> 2");
    Connection second = connect("one");
    assertThatThrownBy(() -> connect("one")).hasMessageContaining("AB3031");
    assertThat(
            ReloadFolder.column(
                admin,
                "SELECT CONCAT(subject, ' ', in_use, ' ', reached) FROM anabranch.limits ORDER BY subject"))
        .containsExactly("one 2 2", "two 1 0");
    try (Statement statement = admin.createStatement()) {
      statement.execute("TRUNCATE anabranch.limits");
    }
    assertThat(
            ReloadFolder.column(
                admin,
                "SELECT CONCAT(subject, ' ', in_use, ' ', reached) FROM anabranch.limits ORDER BY subject"))
        .containsExactly("one 2 0", "two 1 0");
    first.close();
    second.close();
    Eventually.holds(
        "there is room again",
        () -> {
          try {
            return connect("one").isValid(1);
          } catch (SQLException e) {
            return false;
          }
        });
  }

  @Test
  void loginsHaveARate() throws Exception {
    start("connectRate: 1", "connectBurst: 2");
    SQLException refused = null;

    while (refused == null) {
      refused = catchThrowableOfType(SQLException.class, () -> connect("one"));
    }

    assertThat((Throwable) refused)
        .hasMessageContaining("AB3032")
        .hasMessageContaining("try again in");
    assertThat(refused.getErrorCode()).isEqualTo(1226);
    connect("two");
  }

  @Test
  void transactionsEnd() throws Exception {
    start("idleInTransactionMilliseconds: 10");
    Connection admin = admin();
    assertThat((Throwable) lost(admin, "transaction_idle")).hasMessageContaining("AB3021");
    limits("transactionMilliseconds: 10");
    assertThat(ReloadFolder.column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    assertThat((Throwable) lost(admin, "transaction_age")).hasMessageContaining("AB3022");
    Connection exempt = admin();
    run(exempt, "BEGIN");
    run(exempt, "INSERT INTO t VALUES (5)");
    assertThat((Throwable) lost(admin, "transaction_age")).hasMessageContaining("AB3022");
    assertThat(run(exempt, "COMMIT")).isZero();
    assertThat(ReloadFolder.column(admin, "SELECT id FROM t")).containsExactly("5");
  }

  private SQLException lost(Connection admin, String kind) throws SQLException {
    Connection client = connect("one");
    String before = reached(admin, kind);
    run(client, "BEGIN");
    run(client, "INSERT INTO t VALUES (1)");
    Eventually.holds("it is rolled back", () -> !reached(admin, kind).equals(before));
    SQLException told = refusal(client, "SELECT id FROM t");
    assertThat(run(client, "ROLLBACK")).isZero();
    assertThat(run(client, "SELECT id FROM t")).as("the session lives").isZero();
    return told;
  }

  private static String reached(Connection admin, String kind) {
    try {
      return ReloadFolder.column(
              admin, "SELECT SUM(reached) FROM anabranch.limits WHERE kind = '" + kind + "'")
          .getFirst();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
