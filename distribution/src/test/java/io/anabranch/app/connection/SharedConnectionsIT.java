package io.anabranch.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many sessions read over two connections at the same time, each what nobody else asks for: errors,
 * warnings, counts, kills, clients that go and clients that do not read touch nobody but
 * themselves.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SharedConnectionsIT {

  private static final String SCHEMA = "it_shared";
  private static final int SESSIONS = 64;
  private static final int STATEMENTS = 150;
  private static final int ROWS = 1000;
  private static final int INTERRUPTED = 1317;
  private static final int LOST = 1430;
  private static final int NO_SUCH_THREAD = 1094;
  private static final int SEVERAL_ROWS = 1242;

  private static MariaDbServer server;
  private static RunningProxy proxy;
  private static int admin;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE it_shared.t (id INT PRIMARY KEY, name VARCHAR(20), more VARCHAR(20))",
        "INSERT INTO it_shared.t SELECT seq, CONCAT('row ', seq), CONCAT('more ', seq) FROM it_shared.seq_1_to_"
            + ROWS,
        "CREATE VIEW it_shared.slow AS SELECT id, SLEEP(0.15) AS slept FROM it_shared.t",
        "CREATE VIEW it_shared.endless AS SELECT id, SLEEP(600) AS slept FROM it_shared.t");
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      admin = socket.getLocalPort();
    }
    proxy =
        RunningProxy.startWith(
            """
            authority:
              users:
                - { user: "app@%%", password: app-secret, admin: true }
              privilege: { type: ALL_PERMITTED }
            props: { proxy-admin-port: %d, proxy-frontend-executor-size: 2, proxy-pipeline-depth: 8 }
            """
                .formatted(admin),
            database());
  }

  private static String database() {
    return RunningProxy.passThrough(SCHEMA, server)
        .replace("maxPoolSize: 10", "maxPoolSize: 2")
        .replace("connectionTimeoutMilliseconds: 3000", "connectionTimeoutMilliseconds: 60000");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static double metric(String name) {
    try (var http = HttpClient.newHttpClient()) {
      String text =
          http.send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith(name + "{"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** One client that knows what must come. */
  private record Client(Connection connection, int number, Random random) implements AutoCloseable {

    static Client connect(int number) throws SQLException {
      return to(proxy, number);
    }

    /** Every second one executes what it prepares, the others send texts. */
    static Client to(RunningProxy proxy, int number) throws SQLException {
      return new Client(
          proxy.connect(SCHEMA, "useServerPrepStmts=" + (number % 2 == 1)),
          number,
          new Random(number));
    }

    List<List<String>> rows(String sql) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet found = statement.executeQuery(sql)) {
        return rows(found);
      }
    }

    /** Of a statement with values. */
    List<List<String>> rows(String sql, Object... values) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        try (ResultSet found = statement.executeQuery()) {
          return rows(found);
        }
      }
    }

    private static List<List<String>> rows(ResultSet found) throws SQLException {
      var rows = new ArrayList<List<String>>();
      while (found.next()) {
        var row = new ArrayList<String>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.add(found.getString(i));
        }
        rows.add(row);
      }
      return rows;
    }

    int error(String sql) {
      try {
        rows(sql);
        return 0;
      } catch (SQLException e) {
        return e.getErrorCode();
      }
    }

    private int id() {
      return 1 + random.nextInt(ROWS);
    }

    private String tag(int step) {
      return "session " + number + " step " + step;
    }

    void step(int step) throws SQLException {
      switch (random.nextInt(24)) {
        case 0 -> warning(step);
        case 1 -> failure();
        case 2 -> counts();
        case 3 -> many(step);
        case 4 -> large(step);
        case 5 -> settings(step);
        case 6 -> transaction(step);
        default -> point(step);
      }
    }

    void point(int step) throws SQLException {
      int id = id();
      assertThat(rows("SELECT id, name, ? AS tag FROM t WHERE id = ?", tag(step), id))
          .containsExactly(List.of("" + id, "row " + id, tag(step)));
    }

    private void many(int step) throws SQLException {
      int id = 1 + random.nextInt(ROWS - 50);
      List<List<String>> found =
          rows("SELECT id, ? FROM t WHERE id BETWEEN ? AND ? ORDER BY id", tag(step), id, id + 49);
      assertThat(found).hasSize(50);
      for (int i = 0; i < 50; i++) {
        assertThat(found.get(i)).containsExactly("" + (id + i), tag(step));
      }
    }

    private void large(int step) throws SQLException {
      int id = id();
      List<List<String>> found =
          rows("SELECT id, REPEAT(?, 9000) FROM t WHERE id = ?", tag(step), id);
      assertThat(found).containsExactly(List.of("" + id, tag(step).repeat(9000)));
    }

    private void warning(int step) throws SQLException {
      int id = id();
      assertThat(rows("SELECT id, CAST(? AS SIGNED) FROM t WHERE id = ?", "x " + tag(step), id))
          .containsExactly(List.of("" + id, "0"));
      assertThat(rows("SHOW WARNINGS"))
          .containsExactly(
              List.of(
                  "Warning", "1292", "Truncated incorrect INTEGER value: 'x " + tag(step) + "'"));
    }

    private void failure() throws SQLException {
      String sql = "SELECT id FROM t WHERE id = (SELECT id + 0 FROM t AS several WHERE id < 5)";
      assertThat(error(sql)).isEqualTo(SEVERAL_ROWS);
      assertThat(rows("SHOW ERRORS").getFirst().get(1)).isEqualTo("" + SEVERAL_ROWS);
      assertThat(error("SELECT nothing FROM t WHERE id = " + id())).isEqualTo(1054);
    }

    private void counts() throws SQLException {
      int most = 1 + random.nextInt(40);
      assertThat(rows("SELECT id FROM t WHERE id <= " + most)).hasSize(most);
      assertThat(rows("SELECT FOUND_ROWS(), ROW_COUNT()"))
          .containsExactly(List.of("" + most, "-1"));
      rows("SELECT LAST_INSERT_ID(" + (number * 7L) + ")");
      point(number);
      assertThat(rows("SELECT LAST_INSERT_ID()")).containsExactly(List.of("" + number * 7L));
    }

    private void settings(int step) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET time_zone = '+0" + number % 9 + ":00', @mine = " + number);
      }
      int id = id();
      assertThat(rows("SELECT id, DATE_FORMAT(FROM_UNIXTIME(0), '%H') FROM t WHERE id = " + id))
          .containsExactly(List.of("" + id, "0" + number % 9));
      assertThat(rows("SELECT @mine, id FROM t WHERE id = " + id))
          .containsExactly(List.of("" + number, "" + id));
      point(step);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET time_zone = DEFAULT, @mine = NULL");
      }
    }

    private void transaction(int step) throws SQLException {
      connection.setAutoCommit(false);
      point(step);
      point(step + 1);
      connection.rollback();
      connection.setAutoCommit(true);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static void all(List<Future<?>> futures) throws Exception {
    for (Future<?> each : futures) {
      try {
        each.get();
      } catch (ExecutionException failed) {
        throw new AssertionError(failed.getCause());
      }
    }
  }

  private static int run(int number) throws SQLException {
    try (Client client = Client.connect(number)) {
      for (int step = 0; step < STATEMENTS; step++) {
        client.step(step);
      }
    }
    return number;
  }

  @ParameterizedTest(name = "all execute what they have prepared: {0}")
  @ValueSource(booleans = {false, true})
  void nobodySeesANeighbour(boolean allPrepare) throws Exception {
    double before = metric("anabranch_pipelined_statements_total");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < SESSIONS; i++) {
        int number = allPrepare ? 2 * i + 1 : i;
        running.add(threads.submit(() -> run(number)));
      }
      all(running);
    }
    assertThat(metric("anabranch_pipelined_statements_total") - before)
        .as("they were on one connection at the same time")
        .isGreaterThan(SESSIONS * 10);
    assertThat(metric("anabranch_pipelined_depth_max")).isEqualTo(8);
    assertThat(metric("anabranch_pipelined_repeated_total")).isPositive();
  }

  /** With {@code auto}, in another proxy. */
  @Test
  void byLoad() throws Exception {
    try (RunningProxy byLoad =
            RunningProxy.start(List.of("proxy-pipeline-depth: auto"), database());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < SESSIONS; i++) {
        int number = i;
        running.add(
            threads.submit(
                () -> {
                  try (Client client = Client.to(byLoad, number)) {
                    for (int step = 0; step < STATEMENTS; step++) {
                      client.step(step);
                    }
                  }
                  return number;
                }));
      }
      all(running);
    }
  }

  @Test
  void explained() throws SQLException {
    try (Client client = Client.connect(3000)) {
      assertThat(plan(client, "SELECT name FROM t WHERE id = 1"))
          .endsWith("may share a connection");
      assertThat(plan(client, "SELECT name FROM t WHERE id = 1 FOR UPDATE"))
          .doesNotContain("share");
      assertThat(plan(client, "SELECT /*+ x */ name FROM t")).doesNotContain("share");
      assertThat(plan(client, "SELECT RAND() FROM t")).doesNotContain("share");
      assertThat(plan(client, "DELETE FROM t")).doesNotContain("share");
    }
  }

  private static String plan(Client client, String sql) throws SQLException {
    return client.rows("EXPLAIN ROUTE " + sql).getFirst().get(3);
  }

  @Test
  void slowOnesKilledOnesAndThoseWhoGoConcernNobodyElse() throws Exception {
    var over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var disturbing = new ArrayList<Future<?>>();
      disturbing.add(threads.submit(() -> slow(over)));
      disturbing.add(threads.submit(() -> killed(over)));
      disturbing.add(threads.submit(() -> leaving(over)));
      disturbing.add(threads.submit(() -> deaf(over)));
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < SESSIONS / 2; i++) {
        int number = i;
        running.add(threads.submit(() -> run(number)));
      }
      try {
        all(running);
      } finally {
        over.set(true);
      }
      all(disturbing);
    }
  }

  private static int slow(AtomicBoolean over) throws SQLException {
    try (Client client = Client.connect(1001)) {
      int step = 0;
      while (!over.get()) {
        // another text each time, so that it is not known to be slow
        String column = "`a" + step++ + "`";
        assertThat(client.rows("SELECT id AS " + column + ", slept FROM slow WHERE id = 7"))
            .containsExactly(List.of("7", "0"));
      }
      return step;
    }
  }

  private static int killed(AtomicBoolean over) throws Exception {
    int step = 0;
    try (Client killer = Client.connect(1002);
        Client victim = Client.connect(1003);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String number = victim.rows("SELECT CONNECTION_ID()").getFirst().getFirst();
      while (!over.get()) {
        String column = "`b" + step++ + "`";
        String sql = "SELECT id AS " + column + ", slept FROM endless WHERE id = 7";
        Future<Integer> ended = threads.submit(() -> victim.error(sql));
        Eventually.holds(
            "it runs",
            () -> {
              try {
                return !killer
                    .rows(
                        "SELECT 1 FROM anabranch.sessions WHERE id = "
                            + number
                            + " AND sql_text LIKE '%endless%'")
                    .isEmpty();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
        killer.error("KILL QUERY " + number);
        // one in a thousand gets what SLEEP gives when it is ended, as from the server itself
        assertThat(ended.get()).isIn(INTERRUPTED, 0);
        victim.point(step);
      }
    }
    return step;
  }

  private static int leaving(AtomicBoolean over) throws Exception {
    int step = 0;
    while (!over.get()) {
      var client = new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
      client.send(query("SELECT id AS `c" + step++ + "`, slept FROM slow WHERE id = 9"));
      client.close();
    }
    return step;
  }

  private static byte[] query(String sql) {
    return ("\u0003" + sql).getBytes(StandardCharsets.UTF_8);
  }

  /** Asks and asks, and reads nothing before the others are through. */
  private static int deaf(AtomicBoolean over) throws Exception {
    int asked = 40;
    try (var client =
        new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA)) {
      for (int i = 0; i < asked; i++) {
        client.send(query("SELECT " + i + ", REPEAT('deaf', 15000) FROM t WHERE id = 3"));
      }
      while (!over.get()) {
        Thread.sleep(10); // as long as the others take
      }
      for (int i = 0; i < asked; i++) {
        assertThat(client.receive()).hasSize(1);
        client.receive();
        client.receive();
        client.receive();
        String row = new String(client.receive(), StandardCharsets.US_ASCII);
        assertThat(row.substring(1)).startsWith(Integer.toString(i)).endsWith("deaf".repeat(15000));
        client.receive();
      }
    }
    return asked;
  }

  /** Who is alone on a connection that breaks is told so; nobody gets what is not his. */
  @Test
  void connectionsThatBreakMixNothingUp() throws Exception {
    var over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Client watcher = Client.connect(2000)) {
      Future<Integer> breaking =
          threads.submit(
              () -> {
                int broken = 0;
                while (!over.get()) {
                  broken += breakShared(watcher);
                }
                return broken;
              });
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < SESSIONS / 2; i++) {
        int number = i;
        running.add(threads.submit(() -> points(number)));
      }
      try {
        all(running);
      } finally {
        over.set(true);
      }
      assertThat(breaking.get()).isPositive();
    }
  }

  private static int points(int number) throws SQLException {
    try (Client client = connected(number)) {
      for (int step = 0; step < STATEMENTS; step++) {
        try {
          client.point(step);
        } catch (SQLException lost) {
          assertThat(lost.getErrorCode()).isEqualTo(LOST);
        }
      }
    }
    return number;
  }

  /** What a driver asks when it connects may go on a connection that is broken just then. */
  private static Client connected(int number) throws SQLException {
    while (true) {
      try {
        return Client.connect(number);
      } catch (SQLException lost) {
        if (!String.valueOf(lost.getMessage()).contains("AB3003")) {
          throw lost;
        }
      }
    }
  }

  private static int breakShared(Client watcher) throws SQLException {
    int broken = 0;
    for (List<String> lease : watcher.rows("SELECT * FROM anabranch.leases")) {
      if (lease.get(3) == null) {
        broken += isKilled(lease.get(2)) ? 1 : 0;
      }
    }
    return broken;
  }

  private static boolean isKilled(String thread) throws SQLException {
    try (Connection direct = server.connect("");
        Statement statement = direct.createStatement()) {
      statement.execute("KILL " + thread);
      return true;
    } catch (SQLException gone) {
      assertThat(gone.getErrorCode()).isEqualTo(NO_SUCH_THREAD);
      return false;
    }
  }
}
