package io.anabranch.app.bounds;

import static io.anabranch.app.bounds.HostilePackets.MAX_PAYLOAD;
import static io.anabranch.app.bounds.HostilePackets.MEBIBYTE;
import static io.anabranch.app.bounds.HostilePackets.command;
import static io.anabranch.app.bounds.HostilePackets.header;
import static io.anabranch.app.bounds.HostilePackets.prepare;
import static io.anabranch.app.bounds.HostilePackets.sendUnfinished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What has ended a proxy before, against a process with a heap of 128 MB and the limits that follow
 * from it: it lives, and others get their answers.
 *
 * <p>{@code -Dbounds.clients} says how many misbehave at a time where there are many of them.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SmallProcessIT {

  private static final int CLIENTS = Integer.getInteger("bounds.clients", 40);
  private static final int NO_MEMORY = 1037;
  private static final int LONG_ROWS = 8;

  /** Who does not read keeps connections to the databases: there are enough for others, too. */
  private static final int UNREAD = Math.min(CLIENTS, 60);

  /** How much longer than in every build files are. */
  private static final int FILES = Math.max(1, CLIENTS / 100);

  @TempDir private static Path directory;

  private static ProxyProcess proxy;
  private static Connection other;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException, SQLException {
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute(
          "DROP DATABASE IF EXISTS it_small",
          "CREATE DATABASE it_small",
          "CREATE TABLE it_small.t (id INT PRIMARY KEY, b LONGTEXT)",
          "CREATE TABLE it_small.f (id INT, b LONGTEXT)");
    }
    String sharded =
        "databaseName: small\ndataSources:\n"
            + source("ds_0", servers.primaryA())
            + source("ds_1", servers.primaryB())
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_${0..1}.t
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
                f:
                  actualDataNodes: ds_${0..1}.f
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
              shardingAlgorithms:
                ds: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
            """;
    proxy = ProxyProcess.start("small", directory, "", sharded);
    other = proxy.connect("small");
    try (Statement statement = other.createStatement()) {
      for (int i = 0; i < LONG_ROWS; i++) {
        statement.execute("INSERT INTO t VALUES (" + i + ", REPEAT('x', 4000000))");
      }
    }
  }

  private static String source(String name, MariaDbServer server) {
    return RunningProxy.source(name, server, "it_small")
        .replace("maxPoolSize: 10", "maxPoolSize: " + (UNREAD + 20));
  }

  @AfterAll
  static void stop() throws SQLException {
    other.close();
    proxy.close();
  }

  @AfterEach
  void itLives() {
    othersGetAnswers();
    assertThat(proxy.isAlive()).isTrue();
    assertThat(proxy.output()).doesNotContain("OutOfMemory").doesNotContain("AB9001");
  }

  private static void othersGetAnswers() {
    try (Statement statement = other.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*), MAX(LENGTH(b)) FROM t")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(LONG_ROWS);
      assertThat(rows.getInt(2)).isEqualTo(4_000_000);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static CommandProbe probe(long capabilities) throws IOException {
    return new CommandProbe(
        proxy.port(), ProxyProcess.HOG, ProxyProcess.HOG_PASSWORD, "small", capabilities);
  }

  private static void close(List<CommandProbe> probes) throws IOException {
    for (CommandProbe probe : probes) {
      probe.close();
    }
  }

  @Test
  void longDataOf204Megabytes() throws IOException {
    try (CommandProbe probe = probe(0)) {
      int id = prepare(probe, "SELECT LENGTH(?)", 4);
      for (int i = 0; i < 204; i++) {
        probe.send(command(0x18, id, MEBIBYTE));
      }
      byte[] execute = {0x17, (byte) id, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, (byte) 0xFD, 0};
      assertThat(probe.answer(execute)).isEqualTo("error " + NO_MEMORY);
      assertThat(probe.answer(new byte[] {0x0e})).isEqualTo("OK");
    }
  }

  @Test
  void compressedFramesThatNeverEnd() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < 8; i++) {
        CommandProbe probe = probe(Capability.COMPRESS);
        probes.add(probe);
        sendUnfinished(probe);
        othersGetAnswers();
      }
    } finally {
      close(probes);
    }
  }

  @Test
  void variablesOfManySessions() throws SQLException {
    var connections = new ArrayList<Connection>();
    int taken = 0;
    int refused = 0;
    try {
      for (int i = 0; i < 25; i++) {
        Connection connection =
            RunningProxy.Driver.MARIADB.connect(
                proxy.port(), "small", ProxyProcess.HOG, ProxyProcess.HOG_PASSWORD);
        connections.add(connection);
        for (int size : new int[] {500_000, 4_000_000}) {
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET @v" + size + " = REPEAT('x', " + size + ")");
            taken++;
          } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(NO_MEMORY);
            refused++;
          }
        }
      }
      assertThat(taken).isPositive();
      assertThat(refused).isPositive();
      othersGetAnswers();
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  @Test
  void preparesWithoutEnd() throws IOException {
    String comment = " /* " + "x".repeat(2_000_000) + " */";
    try (CommandProbe probe = probe(0)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  prepare(probe, "SELECT " + i + comment, 2);
                }
              })
          .hasMessageContaining("AB2009");
      othersGetAnswers();
    }
  }

  /** Rows of four megabytes for each of many that do not take them. */
  @Test
  void longRowsThatNobodyReads() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    try {
      for (int i = 0; i < UNREAD; i++) {
        CommandProbe probe = probe(0);
        probes.add(probe);
        String sql =
            switch (i % 3) {
              case 0 -> "SELECT id, b FROM t ORDER BY id";
              case 1 -> "SELECT id % 3, MIN(b), MAX(CONCAT(id, b)) FROM t GROUP BY id % 3";
              default -> "SELECT b FROM t WHERE id = 1";
            };
        probe.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
        if (i % 10 == 0) {
          othersGetAnswers();
        }
      }
    } finally {
      close(probes);
    }
  }

  /** A field without an end, lines of which each is warned of, and more rows than fit. */
  @ParameterizedTest
  @CsvSource({"x, 16, (id), 1037", "'1\n', 1, '(id, b)', 0", "'1\t2\n', 1, '(id, b)', 0"})
  void filesWithoutEnd(String line, int mebibytes, String columns, int errno) throws Exception {
    Path file = directory.resolve("rows");
    Files.writeString(file, line.repeat(FILES * mebibytes * MEBIBYTE / line.length()));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 4; i++) {
        answers.add(threads.submit(() -> load(file, columns)));
      }
      for (Future<Integer> answer : answers) {
        othersGetAnswers();
        assertThat(answer.get()).isIn(errno, NO_MEMORY);
      }
    }
  }

  /** 20 MB of statements that run, in the lists of clients that read them or do not. */
  @Test
  void listsOfLongStatements() throws IOException {
    var probes = new ArrayList<CommandProbe>();
    String padding = "x".repeat(MEBIBYTE);
    for (int i = 0; i < 20; i++) {
      CommandProbe probe = probe(0);
      probe.send(text("SELECT SLEEP(60) /*" + padding + "*/"));
      probes.add(probe);
    }
    String error = "";
    for (int i = 0; i < 24; i++) {
      CommandProbe probe = probe(0);
      probe.send(text("SHOW FULL PROCESSLIST"));
      probe.send(text("SHOW FULL PROCESSLIST"));
      probes.add(probe);
      othersGetAnswers();
      if (error.isEmpty()) {
        CommandProbe reads = probe(0);
        String answer = reads.answer(text("SHOW FULL PROCESSLIST"));
        error = answer.startsWith("error") ? answer : "";
        reads.close();
      }
    }
    assertThat(error).isEqualTo("error " + NO_MEMORY);
    close(probes);
  }

  private static byte[] text(String sql) {
    return ("\u0003" + sql).getBytes(StandardCharsets.UTF_8);
  }

  /** What came of it. */
  private static int load(Path file, String columns) throws SQLException {
    try (Connection connection =
            RunningProxy.Driver.MARIADB.connect(
                proxy.port(),
                "small",
                ProxyProcess.HOG,
                ProxyProcess.HOG_PASSWORD,
                "allowLocalInfile=true");
        Statement statement = connection.createStatement()) {
      statement.execute("SET sql_mode = ''");
      statement.execute("BEGIN");
      try {
        statement.execute("LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE f " + columns);
        return 0;
      } catch (SQLException refused) {
        return refused.getErrorCode();
      } finally {
        statement.execute("ROLLBACK");
      }
    }
  }

  @Test
  void clientsThatAreNotLoggedIn() throws IOException {
    var sockets = new ArrayList<Socket>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        sockets.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write(header(MAX_PAYLOAD, 1));
        } else {
          // its handshake comes a byte at a time
          socket.getOutputStream().write(100);
        }
        socket.getOutputStream().flush();
      }
      othersGetAnswers();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
