package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.faults.Fault;
import io.anabranch.app.faults.FaultyLink;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that do what is allowed, but without end and many at a time, against a process with a
 * heap of 128 MB: others get their answers meanwhile, and nothing is left when the storm is over.
 * How long the others wait is written down, and nothing is concluded from it.
 *
 * <p>{@code -Dbounds.clients} says how many there are at a time.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class StormsIT {

  private static final int CLIENTS = Integer.getInteger("bounds.clients", 40);

  /** What each of them does. */
  private static final int TIMES = 50;

  private static final byte[] RESET_CONNECTION = {0x1f};
  private static final byte[] PING = {0x0e};
  private static final byte[] SET_VARIABLE =
      "\u0003SET @x = REPEAT('x', 10000)".getBytes(StandardCharsets.UTF_8);

  @TempDir private static Path directory;

  private static ProxyProcess proxy;
  private static Connection other;
  private static FaultyLink link;

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException, SQLException {
    for (MariaDbServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute(
          "DROP DATABASE IF EXISTS it_storm",
          "CREATE DATABASE it_storm",
          "CREATE TABLE it_storm.t (id INT PRIMARY KEY)");
    }
    link = FaultyLink.to(servers.primaryB().port());
    String sharded =
        "databaseName: storm\ndataSources:\n"
            + RunningProxy.source("ds_0", servers.primaryA(), "it_storm")
            + RunningProxy.source("ds_1", servers.primaryB(), "it_storm")
                .replace(":" + servers.primaryB().port() + "/", ":" + link.port() + "/")
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_${0..1}.t
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: ds } }
              shardingAlgorithms:
                ds: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
            """;
    proxy = ProxyProcess.start("storms", directory, "", sharded);
    other = proxy.connect("storm");
    try (Statement statement = other.createStatement()) {
      statement.execute("INSERT INTO t VALUES (0), (1), (2), (3)");
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    other.close();
    proxy.close();
    link.close();
  }

  @AfterEach
  void nothingIsLeft() {
    Eventually.holds("all clients but one have gone", () -> clients() == 1);
    assertThat(proxy.isAlive()).isTrue();
    assertThat(proxy.output()).doesNotContain("OutOfMemory").doesNotContain("AB9001");
  }

  private static int clients() {
    try (Statement statement = other.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static CommandProbe probe() throws IOException {
    return new CommandProbe(proxy.port(), ProxyProcess.HOG, ProxyProcess.HOG_PASSWORD, "storm", 0);
  }

  /** One of many; throws what is wrong. */
  private interface Client {
    void run(int number) throws Exception;
  }

  /** All at a time, while somebody else asks for a row of the first data source again and again. */
  private static void storm(String name, int clients, Client client) throws Exception {
    long longest = 0;
    int asked = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < clients; i++) {
        int number = i;
        running.add(
            threads.submit(
                () -> {
                  client.run(number);
                  return null;
                }));
      }
      do {
        long begin = System.nanoTime();
        try (Statement statement = other.createStatement();
            ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t WHERE id = 2")) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).isEqualTo(1);
        }
        longest = Math.max(longest, System.nanoTime() - begin);
        asked++;
      } while (!running.stream().allMatch(Future::isDone));
      for (Future<?> each : running) {
        each.get();
      }
    }
    System.Logger log = System.getLogger(StormsIT.class.getName());
    log.log(
        System.Logger.Level.INFO,
        "{0}: {1} answers to a neighbour, the longest after {2} ms",
        name,
        asked,
        TimeUnit.NANOSECONDS.toMillis(longest));
  }

  @Test
  void changesOfUser() throws Exception {
    storm(
        "COM_CHANGE_USER",
        CLIENTS,
        number -> {
          try (CommandProbe probe = probe()) {
            for (int i = 0; i < TIMES; i++) {
              String user = i % 2 == 0 ? ProxyProcess.OTHER_HOG : ProxyProcess.HOG;
              assertThat(probe.changeUser(user, ProxyProcess.HOG_PASSWORD, "storm"))
                  .isEqualTo("OK");
              // of a thousand some find no connection in time; what must not be is anything else
              assertThat(probe.answer(SET_VARIABLE)).isIn("OK", "error 1040");
            }
            assertThat(probe.changeUser(RunningProxy.USER, "wrong", "storm"))
                .isEqualTo("error 1045");
          }
        });
  }

  @Test
  void preparesAndResets() throws Exception {
    byte[] prepare = "\u0016SELECT id FROM t WHERE id = ?".getBytes(StandardCharsets.UTF_8);
    storm(
        "COM_STMT_PREPARE and COM_RESET_CONNECTION",
        CLIENTS,
        number -> {
          try (CommandProbe probe = probe()) {
            for (int i = 0; i < TIMES; i++) {
              for (int n = 0; n < 10; n++) {
                probe.send(prepare);
              }
              probe.send(RESET_CONNECTION);
              for (int n = 0; n < 10; n++) {
                byte[] answer = probe.receive();
                assertThat(answer[0])
                    .describedAs(new String(answer, StandardCharsets.ISO_8859_1))
                    .isZero();
                for (int behind = 0; behind < 4; behind++) {
                  probe.receive();
                }
              }
              assertThat(probe.receive()[0]).isZero();
            }
          }
        });
    try (Statement statement = other.createStatement();
        ResultSet row = statement.executeQuery("SHOW STATUS LIKE 'Prepared_stmt_count'")) {
      while (row.next()) {
        assertThat(row.getInt(2)).isZero();
      }
    }
  }

  /** A client that has said all gets its answer, and nothing stays of it. */
  @Test
  void halfCloses() throws Exception {
    byte[] query = "\u0003SELECT id FROM t ORDER BY id".getBytes(StandardCharsets.UTF_8);
    storm(
        "half-closes",
        CLIENTS,
        number -> {
          for (int i = 0; i < TIMES; i++) {
            if (i % 5 == 4) {
              try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
              }
            } else {
              try (CommandProbe probe = probe()) {
                probe.send(query);
                probe.rest();
              }
            }
          }
        });
  }

  @Test
  void connects() throws Exception {
    storm(
        "connects",
        CLIENTS,
        number -> {
          for (int i = 0; i < TIMES; i++) {
            switch (i % 3) {
              case 0 -> {
                try (CommandProbe probe = probe()) {
                  assertThat(probe.answer(PING)).isEqualTo("OK");
                }
              }
              case 1 -> {
                try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                  socket.setSoLinger(true, 0);
                }
              }
              default -> new Socket(InetAddress.getLoopbackAddress(), proxy.port()).close();
            }
          }
        });
  }

  /** Links to one database swallow all bytes again and again, under clients that ask it. */
  @Test
  void blackHoles() throws Exception {
    storm(
        "black holes",
        CLIENTS,
        number -> {
          if (number == 0) {
            for (int i = 0; i < TIMES; i++) {
              link.strike(Fault.BLACK_HOLE);
              Thread.sleep(20);
            }
            return;
          }
          for (int i = 0; i < 3; i++) {
            try (Connection client = proxy.connect("storm", "socketTimeout=500");
                Statement statement = client.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM t WHERE id = 1")) {
              assertThat(rows.next()).isTrue();
              assertThat(rows.getInt(1)).isEqualTo(1);
            } catch (SQLException expected) {
              // it has waited, or its connection is gone
              assertThat(expected.getErrorCode()).isNotEqualTo(1064);
            }
          }
        });
    link.heal();
    Eventually.holds(
        "the database answers again",
        () -> {
          try (Connection client = proxy.connect("storm");
              Statement statement = client.createStatement();
              ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            return rows.next() && rows.getInt(1) == 4;
          } catch (SQLException notYet) {
            return false;
          }
        });
  }
}
