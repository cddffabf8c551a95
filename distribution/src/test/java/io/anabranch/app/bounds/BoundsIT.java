package io.anabranch.app.bounds;

import static io.anabranch.app.bounds.HostilePackets.MAX_PAYLOAD;
import static io.anabranch.app.bounds.HostilePackets.MEBIBYTE;
import static io.anabranch.app.bounds.HostilePackets.command;
import static io.anabranch.app.bounds.HostilePackets.compressed;
import static io.anabranch.app.bounds.HostilePackets.header;
import static io.anabranch.app.bounds.HostilePackets.prepare;
import static io.anabranch.app.bounds.HostilePackets.sendUnfinished;
import static io.anabranch.app.bounds.HostilePackets.uncompressed;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What clients can make the proxy keep is bounded: beyond its share a session is refused and lives,
 * others get their answers meanwhile, and nothing stays when it has gone.
 *
 * <p>{@code -Dbounds.clients} says how many misbehave at a time where there are many of them.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class BoundsIT {

  private static final int CLIENTS = Integer.getInteger("bounds.clients", 40);
  private static final int BUDGET = 32 * MEBIBYTE;
  private static final int NO_MEMORY = 1037;
  private static final byte[] PING = {0x0e};

  private static final String GLOBAL =
      """
      authority:
        users:
          - { user: hog, password: secret, admin: true }
          - { user: other, password: secret }
        privilege: { type: ALL_PERMITTED }
      props:
        proxy-admin-port: 0
        proxy-frontend-executor-size: 2
        proxy-memory-heap-bytes: %d
        proxy-memory-direct-bytes: %d
        proxy-memory-user-percent: 75
      """
          .formatted(BUDGET, BUDGET);

  /** Of the one that stays. */
  private static final int SESSION = 12 << 10;

  private static RunningProxy proxy;
  private static Connection other;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    MariaDbServer a = servers.primaryA();
    MariaDbServer b = servers.primaryB();
    for (MariaDbServer server : List.of(a, b)) {
      server.execute(
          "DROP DATABASE IF EXISTS it_bounds",
          "CREATE DATABASE it_bounds",
          "CREATE TABLE it_bounds.t_0 (id INT PRIMARY KEY, b LONGTEXT)",
          "CREATE TABLE it_bounds.t_1 (id INT PRIMARY KEY, b LONGTEXT)");
    }
    String sharded =
        "databaseName: sharded\ndataSources:\n"
            + RunningProxy.source("ds_0", a, "it_bounds")
            + RunningProxy.source("ds_1", b, "it_bounds")
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_${0..1}.t_${0..1}
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: t } }
              shardingAlgorithms:
                ds: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
                t: { type: INLINE, props: { algorithm-expression: "t_${id.intdiv(2) % 2}" } }
            """;
    String plain =
        "databaseName: plain\ndataSources:\n"
            + RunningProxy.source("ds_0", a, "it_bounds")
            + "rules: []\n";
    proxy = RunningProxy.startWith(GLOBAL, sharded, plain);
    other = RunningProxy.Driver.MARIADB.connect(proxy.port(), "plain", "other", "secret");
  }

  @AfterAll
  static void stop() throws SQLException {
    other.close();
    proxy.close();
  }

  @AfterEach
  void nothingStays() {
    othersGetAnswers();
    Eventually.holds(
        "memory is given back",
        () ->
            proxy.memory().taken(MemoryKind.DIRECT) < 8192
                && proxy.memory().taken(MemoryKind.HEAP) < SESSION + 8192);
    assertThat(proxy.memory().forgottenBytes()).isZero();
  }

  private static void othersGetAnswers() {
    try (Statement statement = other.createStatement();
        ResultSet rows = statement.executeQuery("SELECT REPEAT('y', 300000)")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).hasSize(300_000);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static CommandProbe probe(long capabilities) throws IOException {
    return new CommandProbe(proxy.port(), "hog", "secret", "plain", capabilities);
  }

  private static Connection connect(String database) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(proxy.port(), database, "hog", "secret");
  }

  // ---------------------------------------------------------------- long data, prepared statements

  @Test
  void longDataWithoutEnd() throws IOException {
    try (CommandProbe probe = probe(0)) {
      // a parameter, a column, and what ends each
      int id = prepare(probe, "SELECT LENGTH(?)", 4);
      for (int i = 0; i < 60; i++) {
        probe.send(command(0x18, id, MEBIBYTE));
      }
      byte[] execute = new byte[] {0x17, (byte) id, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, (byte) 0xFD, 0};
      assertThat(probe.answer(execute)).isEqualTo("error " + NO_MEMORY);
      assertThat(probe.answer(command(0x1a, id, 0))).isEqualTo("OK");
      probe.send(command(0x18, id, MEBIBYTE));
      assertThat(probe.answer(execute)).isEqualTo("a result");
    }
  }

  @Test
  void statementsWithoutEnd() throws IOException {
    String sql = "SELECT 1 /* " + "x".repeat(900_000) + " */";
    try (CommandProbe probe = probe(0)) {
      var ids = new ArrayList<Integer>();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  ids.add(prepare(probe, sql, 2));
                }
              })
          .hasMessageContaining("AB2009: no memory for prepared statements: one session");
      assertThat(ids).hasSizeGreaterThan(5);
      // the command takes more than what is kept of it
      for (int id : ids.subList(0, 4)) {
        probe.send(command(0x19, id, 0));
      }
      assertThat(prepare(probe, sql, 2)).isPositive();
      othersGetAnswers();
    }
  }

  @Test
  void namedStatementsWithoutEnd() throws SQLException {
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      String text = " /* " + "x".repeat(400_000) + " */";
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  // a text of its own: the database answers before it is known what there is to
                  // keep
                  statement.execute("PREPARE s" + i + " FROM 'SELECT " + i + text + "'");
                }
              })
          .isInstanceOf(SQLException.class)
          .extracting("errorCode")
          .isEqualTo(NO_MEMORY);
      for (int i = 0; i < 4; i++) {
        statement.execute("DEALLOCATE PREPARE s" + i);
      }
      statement.execute("PREPARE s0 FROM 'SELECT 1" + text + "'");
    }
  }

  // ---------------------------------------------------------------- packets that are not whole

  @Test
  void commandsThatNeverEnd() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < 6; i++) {
        CommandProbe probe = probe(0);
        probes.add(probe);
        probe.raw(header(MAX_PAYLOAD, 0));
        probe.raw(new byte[12 * MEBIBYTE]);
      }
      othersGetAnswers();
      for (CommandProbe probe : probes) {
        probe.raw(new byte[MAX_PAYLOAD - 12 * MEBIBYTE]);
        probe.raw(header(0, 1));
      }
      int refused = 0;
      for (CommandProbe probe : probes) {
        String text = new String(probe.receive(), StandardCharsets.UTF_8);
        refused += text.contains("AB2009") ? 1 : 0;
        assertThat(probe.answer(PING)).isEqualTo("OK");
      }
      assertThat(refused).isGreaterThanOrEqualTo(4);
    } finally {
      close(probes);
    }
  }

  private static void close(List<CommandProbe> probes) throws IOException {
    for (CommandProbe probe : probes) {
      probe.close();
    }
  }

  @Test
  void packetsOfClientsThatAreNotLoggedIn() throws IOException {
    var sockets = new ArrayList<java.net.Socket>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        var socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), proxy.port());
        sockets.add(socket);
        socket.getOutputStream().write(header(MAX_PAYLOAD, 1));
        socket.getOutputStream().flush();
      }
      othersGetAnswers();
      for (java.net.Socket socket : sockets) {
        socket.setSoTimeout(30_000);
        // the greeting, then an error, then the end
        byte[] all = socket.getInputStream().readAllBytes();
        assertThat(new String(all, StandardCharsets.ISO_8859_1)).contains("08S01");
      }
    } finally {
      for (java.net.Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** A few kilobytes on the wire are sixteen megabytes each. */
  @Test
  void compressedCommandsThatNeverEnd() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < 8; i++) {
        CommandProbe probe = probe(Capability.COMPRESS);
        probes.add(probe);
        sendUnfinished(probe);
      }
      othersGetAnswers();
      CommandProbe last = probes.getLast();
      last.raw(compressed(6, header(0, 3), 0, 4));
      assertThat(new String(uncompressed(last), StandardCharsets.UTF_8)).contains("AB2009");
      last.raw(compressed(0, new byte[] {1, 0, 0, 0, 0x0e}, 0, 5));
      assertThat(uncompressed(last)[4]).isZero();
    } finally {
      close(probes);
    }
  }

  /** Three million commands in sixteen kilobytes, and nobody reads the answers. */
  @Test
  void compressedCommandsWithoutEnd() throws IOException {
    var pings = new ByteArrayOutputStream();
    while (pings.size() + 5 < MAX_PAYLOAD) {
      pings.write(new byte[] {1, 0, 0, 0, 0x0e});
    }
    byte[] bomb = compressed(0, pings.toByteArray(), 0, pings.size());
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < 2; i++) {
        CommandProbe probe = probe(Capability.COMPRESS);
        probes.add(probe);
        for (int n = 0; n < 4; n++) {
          probe.raw(bomb);
        }
      }
      for (int i = 0; i < 3; i++) {
        othersGetAnswers();
      }
    } finally {
      close(probes);
    }
  }

  // ---------------------------------------------------------------- variables

  @Test
  void userVariablesOnManySessions() throws SQLException {
    var connections = new ArrayList<Connection>();
    int refusals = 0;
    try {
      for (int i = 0; i < 20; i++) {
        Connection connection = connect(i % 2 == 0 ? "plain" : "sharded");
        connections.add(connection);
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET @small = 'kept'");
          try {
            statement.execute("SET @v0 = REPEAT('x', 400000)");
            assertThat(one(statement, "SELECT LENGTH(@v0)")).isEqualTo("400000");
          } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(NO_MEMORY);
            assertThat(e.getMessage()).contains("AB2009");
            assertThat(one(statement, "SELECT @v0")).isNull();
            refusals++;
          }
          assertThat(one(statement, "SELECT @small")).isEqualTo("kept");
        }
      }
      assertThat(refusals).isBetween(5, 15);
      othersGetAnswers();
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
    try (Connection connection = connect("plain");
        Statement statement = connection.createStatement()) {
      assertThat(one(statement, "SELECT @v0")).isNull();
    }
  }

  /** Whoever assigns them: the answer is the error, and those before stay. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT @v%d := REPEAT('x', 400000)",
        "SELECT REPEAT('x', 400000) INTO @v%d",
        "SELECT REPEAT('x', 400000), 1 INTO @v%d, @w",
        "DO @v%d := REPEAT('x', 400000)"
      })
  void userVariablesThatQueriesAssign(String sql) throws SQLException {
    for (String database : List.of("plain", "sharded")) {
      try (Connection connection = connect(database);
          Statement statement = connection.createStatement()) {
        statement.execute("SET @small = 'kept'");
        int assigned = 0;
        @Nullable SQLException refusal = null;
        while (refusal == null && assigned < 100) {
          try {
            statement.execute(String.format(sql, assigned));
            assigned++;
          } catch (SQLException e) {
            refusal = e;
          }
        }
        assertThat(assigned).isBetween(2, 99);
        SQLException told = Objects.requireNonNull(refusal);
        assertThat((Throwable) told).hasMessageContaining("AB2009");
        assertThat(told.getErrorCode()).isEqualTo(NO_MEMORY);
        assertThat(one(statement, "SELECT LENGTH(@v" + (assigned - 1) + ")")).isEqualTo("400000");
        assertThat(one(statement, "SELECT @v" + assigned)).isNull();
        assertThat(one(statement, "SELECT @small")).isEqualTo("kept");
        statement.execute("SET @v0 = NULL, @v1 = NULL");
        statement.execute(String.format(sql, assigned));
        assertThat(one(statement, "SELECT LENGTH(@v" + assigned + ")")).isEqualTo("400000");
      }
    }
    othersGetAnswers();
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  // ---------------------------------------------------------------- rows

  /** A literal that stands in the statement of each node of the table. */
  @Test
  void aLongTextForManyNodesIsRefusedAndTheSessionLives() throws SQLException {
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 3; i++) {
        String text = "x".repeat(4 * MEBIBYTE);
        assertThatThrownBy(() -> statement.execute("SELECT id FROM t WHERE b = '" + text + "'"))
            .isInstanceOf(SQLException.class)
            .extracting("errorCode")
            .isEqualTo(NO_MEMORY);
        assertThat(
                one(
                    statement,
                    "SELECT COUNT(*) FROM t WHERE b = '" + text.substring(0, MEBIBYTE) + "'"))
            .isEqualTo("0");
        assertThat(one(statement, "SELECT COUNT(*) FROM t WHERE id = 7 AND b = '" + text + "'"))
            .isEqualTo("0");
      }
    }
  }

  @Test
  void aStatementWithoutRoomIsRefusedAndTheSessionLives() throws SQLException {
    try (Connection connection = connect("plain");
        Statement statement = connection.createStatement()) {
      String text = "x".repeat(10 * MEBIBYTE);
      assertThatThrownBy(() -> statement.execute("SELECT LENGTH('" + text + "')"))
          .isInstanceOf(SQLException.class)
          .extracting("errorCode")
          .isEqualTo(NO_MEMORY);
      assertThat(one(statement, "SELECT LENGTH('" + "x".repeat(MEBIBYTE) + "')"))
          .isEqualTo(Integer.toString(MEBIBYTE));
    }
  }

  /** More than the session may have, of which a merge needs a few rows of each source at a time. */
  @Test
  void longRowsAreMergedOnTheirWay() throws SQLException {
    int length = 3 * MEBIBYTE / 2;
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM t");
      for (int i = 0; i < 16; i++) {
        statement.execute(
            "INSERT INTO t VALUES (" + i + ", REPEAT('" + (char) ('a' + i) + "', " + length + "))");
      }
      for (String sql :
          List.of(
              "SELECT id, b FROM t ORDER BY id",
              "SELECT id, b FROM t WHERE b > '' ORDER BY id DESC")) {
        var ids = new ArrayList<Integer>();
        try (ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            String text = rows.getString(2);
            assertThat(text).hasSize(length);
            assertThat(text.charAt(length - 1)).isEqualTo((char) ('a' + rows.getInt(1)));
            ids.add(rows.getInt(1));
          }
        }
        assertThat(ids).hasSize(16);
      }
      statement.execute("DELETE FROM t");
    }
  }

  @Test
  void savepointsWithoutEnd() throws SQLException {
    try (Connection connection = connect("plain");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      assertThatThrownBy(() -> statement.execute("SAVEPOINT " + "a".repeat(65)))
          .isInstanceOfSatisfying(
              SQLException.class, refused -> assertThat(refused.getErrorCode()).isEqualTo(1059));
      statement.execute("SELECT COUNT(*) FROM t_0");
      assertThatThrownBy(
              () -> {
                while (true) {
                  statement.execute("SAVEPOINT again");
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("savepoints in a row");
      statement.execute("SELECT COUNT(*) FROM t_0");
      assertThatThrownBy(
              () -> {
                for (int i = 0; true; i++) {
                  statement.execute("SAVEPOINT s" + i);
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("savepoints in a transaction");
      statement.execute("ROLLBACK");
    }
  }

  /** Each remembers a row of as many cells. */
  @Test
  void aggregatesOfManyColumns() throws SQLException {
    String columns =
        IntStream.range(0, 2000).mapToObj(i -> "MAX(id + " + i + ")").collect(joining(", "));
    refusedForMemory("SELECT " + columns + " FROM t GROUP BY b");
  }

  @Test
  void warningsOfManyRows() throws SQLException {
    String columns =
        IntStream.range(0, 600)
            .mapToObj(i -> "CAST('" + i + "x".repeat(100) + "' AS INT)")
            .collect(joining(", "));
    String rows = IntStream.range(0, 200).mapToObj(i -> "(" + i + ", '')").collect(joining(", "));
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t VALUES " + rows);
    }
    refusedForMemory("SELECT " + columns + " FROM t");
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM t");
    }
  }

  /** The session lives. */
  private static void refusedForMemory(String sql) throws SQLException {
    try (Connection connection = connect("sharded");
        Statement statement = connection.createStatement()) {
      statement.execute("SET max_error_count = 65535");
      assertThatThrownBy(() -> statement.executeQuery(sql))
          .isInstanceOfSatisfying(
              SQLException.class,
              refused -> assertThat(refused.getErrorCode()).isEqualTo(NO_MEMORY));
      statement.execute("SELECT COUNT(*) FROM t");
    }
  }

  /** Ten times as many connects as there are clients in the other cases, as fast as they come. */
  @Test
  void connectsWithoutEnd() throws Exception {
    var failures = new ConcurrentLinkedQueue<Throwable>();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < 10; client++) {
        int number = client;
        clients.submit(
            () -> {
              try {
                for (int i = 0; i < CLIENTS; i++) {
                  connectAndLeave(number + i);
                }
              } catch (IOException failed) {
                failures.add(failed);
              }
            });
      }
    }
    assertThat(failures).isEmpty();
    Eventually.holds("who has left is forgotten", () -> sessionsBesideThis() == 1);
  }

  /** Without a word, behind the greeting, by a reset, or logged in. */
  private static void connectAndLeave(int how) throws IOException {
    if (how % 10 == 9) {
      probe(0).close();
      return;
    }
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      if (how % 3 > 0) {
        assertThat(socket.getInputStream().read()).isPositive();
      }
      if (how % 3 == 2) {
        socket.setSoLinger(true, 0);
      }
    }
  }

  private static int sessionsBesideThis() {
    try (Connection admin = connect("plain");
        Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count - 1;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void clientsThatDoNotRead() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        CommandProbe probe = probe(i % 2 == 0 ? 0 : Capability.COMPRESS);
        probes.add(probe);
        byte[] sql =
            "\u0003SELECT REPEAT('z', 100000) FROM seq_1_to_1000".getBytes(StandardCharsets.UTF_8);
        if (i % 2 == 0) {
          probe.send(sql);
        } else {
          byte[] packet = java.util.Arrays.copyOf(header(sql.length, 0), 4 + sql.length);
          System.arraycopy(sql, 0, packet, 4, sql.length);
          probe.raw(compressed(0, packet, 0, packet.length));
        }
        if (i < 5) {
          othersGetAnswers();
        }
      }
    } finally {
      close(probes);
    }
  }
}
