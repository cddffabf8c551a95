package io.anabranch.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.faults.Fault;
import io.anabranch.app.faults.FaultyLink;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A proxy under load while links break, databases die and primaries change: it takes no more in the
 * end than in the beginning, every answer was right and no acknowledged write is lost. {@code
 * -Dsoak.seconds}, {@code -Dsoak.period} (between faults), {@code -Dsoak.clients} and {@code
 * -Dsoak.seed} choose; {@code -Psoak} for hours. The samples are written to {@code target/soak.md}
 * while it runs.
 */
class SoakIT {

  private static final int SECONDS = Integer.getInteger("soak.seconds", 8);
  private static final Duration PERIOD = Duration.ofSeconds(Integer.getInteger("soak.period", 1));
  private static final int CLIENTS = Integer.getInteger("soak.clients", 8);
  private static final long SEED = Long.getLong("soak.seed", 20_261_122);
  private static final int STRAIGHT = 200;
  private static final Path TABLE = Path.of("target", "soak.md");
  private static final Path FLIGHT = Path.of("target", "soak-flight.md");

  /** What befalls. */
  private enum Kind {
    BACKEND_LINKS,
    CLIENT_LINKS,
    KILLED_CONNECTIONS,
    OTHER_PRIMARY,
    REPLICA_DIES,
    REPLICA_HANGS,
    PRIMARY_DIES,
    SHARD_DIES
  }

  private final Path directory = Path.of("target", "soak-" + ProcessHandle.current().pid());
  private final Random random = new Random(SEED);
  private final Map<Kind, Integer> faults = new TreeMap<>();
  private final List<Sample> samples = new ArrayList<>();

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private MariaDbServer primary;
  private MariaDbServer replica;
  private MariaDbServer shard;
  private FaultyLink backend;
  private FaultyLink frontend;
  private ProxyProcess proxy;
  private Vitals vitals;
  private long start;

  @BeforeEach
  void start() throws IOException, SQLException {
    primary = opened(MariaDbServer.start("soak-a", "--gtid-strict-mode=OFF"));
    replica = opened(MariaDbServer.start("soak-b", "--gtid-strict-mode=OFF"));
    shard = opened(MariaDbServer.start("soak-c"));
    replica.follow(primary);
    primary.execute(
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON soak.* TO proxy@'%'",
        "GRANT REPLICA MONITOR, PROCESS ON *.* TO proxy@'%'",
        "CREATE DATABASE soak");
    primary.awaitReplica(replica);
    shard.execute(
        "CREATE DATABASE soak",
        "CREATE DATABASE bank0",
        "CREATE DATABASE bank1",
        "CREATE DATABASE plain");
    backend = opened(FaultyLink.to(shard.port()));
    proxy =
        opened(
            ProxyProcess.start(
                "soak",
                directory,
                """
                transaction:
                  defaultType: XA
                  props: { cluster: soak, node: one, log-data-source: bank.ds_0, recovery-interval-milliseconds: 500 }
                """,
                SoakDatabases.soak(primary, replica, backend.port()),
                SoakDatabases.bank(backend.port()),
                SoakDatabases.plain(backend.port())));
    frontend = opened(FaultyLink.to(proxy.port()));
    Eventually.holds("all databases are reached", this::isWell);
    fill();
    primary.awaitReplica(replica);
    vitals = opened(Vitals.of(proxy.pid()));
    vitals.record();
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  private void fill() throws SQLException {
    try (Connection connection = proxy.connect("soak");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE s (id INT PRIMARY KEY, v INT, text VARCHAR(40))");
      statement.execute("CREATE TABLE w (id INT PRIMARY KEY, n INT)");
      statement.execute("CREATE TABLE l (id INT PRIMARY KEY, b LONGTEXT)");
      var rows = new StringBuilder("INSERT INTO s VALUES ");
      for (int i = 0; i < Clients.ROWS; i++) {
        rows.append(
            "%s(%d, %d, 'row %d')".formatted(i == 0 ? "" : ", ", i, i * 7 % Clients.ROWS, i));
      }
      statement.execute(rows.toString());
      for (int i = 0; i < Clients.COUNTERS; i++) {
        statement.execute("INSERT INTO w VALUES (" + i + ", 0)");
      }
      statement.execute("USE bank");
      statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT)");
      for (int i = 0; i < Clients.ACCOUNTS; i++) {
        statement.execute("INSERT INTO account VALUES (" + i + ", " + Clients.BALANCE + ")");
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void takesNoMoreWithTime() throws Exception {
    Files.writeString(TABLE, Sample.HEADER);
    var clients = new Clients(proxy.port(), frontend.port(), SEED);
    clients.start(CLIENTS);
    start = System.nanoTime();
    Kind[] kinds = Kind.values();
    while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
      Kind kind = kinds[faults.values().stream().mapToInt(Integer::intValue).sum() % kinds.length];
      befall(kind);
      faults.merge(kind, 1, Integer::sum);
      LockSupport.parkNanos(PERIOD.toNanos());
      backend.heal();
      frontend.heal();
      Eventually.holds("all is well after " + kind, this::isWell);
      sample(clients);
    }
    clients.end();
    assertThat(proxy.isAlive()).isTrue();
    assertThat(proxy.output()).doesNotContain("AB9001").doesNotContain("OutOfMemory");
    assertThat(clients.wrong()).isEmpty();
    nothingIsLost(clients);
    nothingGrows();
    keepFlight();
  }

  private void keepFlight() throws IOException {
    Path recording = directory.resolve("soak.jfr");
    vitals.dumpRecording(recording);
    Files.writeString(FLIGHT, FlightFigures.of(recording).table());
  }

  private void befall(Kind kind) {
    switch (kind) {
      case BACKEND_LINKS -> backend.strike(fault());
      case CLIENT_LINKS -> frontend.strike(fault());
      case KILLED_CONNECTIONS -> shard.execute("KILL USER test");
      case OTHER_PRIMARY -> changePrimary();
      case REPLICA_DIES -> {
        replica.kill();
        replica.startAgain();
        replica.execute("SET GLOBAL read_only = ON");
      }
      case REPLICA_HANGS -> {
        replica.pause();
        LockSupport.parkNanos(PERIOD.toNanos());
        replica.goOn();
      }
      case PRIMARY_DIES -> {
        primary.kill();
        primary.startAgain();
      }
      case SHARD_DIES -> {
        shard.kill();
        shard.startAgain();
      }
    }
  }

  private Fault fault() {
    Fault[] idle = {Fault.RESET, Fault.CLOSE, Fault.HALF_CLOSE, Fault.BLACK_HOLE};
    return idle[random.nextInt(idle.length)];
  }

  private void changePrimary() {
    MariaDbServer former = primary;
    former.execute("SET GLOBAL read_only = ON");
    former.awaitReplica(replica);
    replica.promote();
    primary = replica;
    replica = former;
    replica.follow(primary);
    primary.awaitReplica(replica);
  }

  /** Whether each database is read from and written to. */
  private boolean isWell() {
    try (Connection connection = proxy.connect("soak");
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "SHOW TABLES",
              "SHOW TABLES FROM bank",
              "USE plain",
              "CREATE TEMPORARY TABLE probe (a INT)",
              "DROP TEMPORARY TABLE probe")) {
        statement.execute(sql);
      }
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private void sample(Clients clients) throws IOException, SQLException {
    List<Long> straight = straight();
    clients.stillness().lock();
    try {
      long heap = vitals.heap();
      var sample =
          new Sample(
              TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
              clients.steps(),
              clients.errors(),
              faults.values().stream().mapToInt(Integer::intValue).sum(),
              heap,
              vitals.direct(),
              vitals.resident(),
              vitals.descriptors(),
              vitals.threads(),
              prepared(primary) + prepared(replica) + prepared(shard),
              Sample.Percentiles.of(clients.takeRelayed()),
              Sample.Percentiles.of(clients.takeMerged()),
              Sample.Percentiles.of(straight));
      samples.add(sample);
      Files.writeString(TABLE, sample.row(), StandardOpenOption.APPEND);
    } finally {
      clients.stillness().unlock();
    }
  }

  /** What the machine makes of the same statement without a proxy, at this time. */
  private List<Long> straight() throws SQLException {
    var latencies = new ArrayList<Long>();
    try (Connection connection = shard.connect("soak")) {
      for (int i = 0; i < STRAIGHT; i++) {
        long begun = System.nanoTime();
        try (PreparedStatement read =
            connection.prepareStatement("SELECT text FROM s WHERE id = ?")) {
          read.setInt(1, 2 * i + 1);
          try (ResultSet rows = read.executeQuery()) {
            assertThat(rows.next()).isTrue();
          }
        }
        latencies.add(System.nanoTime() - begun);
      }
    }
    return latencies;
  }

  private static long prepared(MariaDbServer server) {
    return Long.parseLong(
        server.queryOne(
            "SELECT variable_value FROM information_schema.global_status"
                + " WHERE variable_name = 'PREPARED_STMT_COUNT'"));
  }

  private void nothingIsLost(Clients clients) throws SQLException {
    Eventually.holds(
        "no branch is left",
        () -> {
          try (Connection connection = shard.connect("");
              Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery("XA RECOVER")) {
            return !rows.next();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    try (Connection connection = proxy.connect("soak");
        Connection bank = proxy.connect("bank")) {
      assertThat(sum(connection, "SELECT SUM(n) FROM w"))
          .isBetween(clients.counted(), clients.counted() + clients.perhapsCounted());
      assertThat(sum(bank, "SELECT SUM(balance) FROM account"))
          .isEqualTo(Clients.ACCOUNTS * Clients.BALANCE);
    }
  }

  private static long sum(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** The last quarter against the second, in which everything is warm. */
  private void nothingGrows() {
    int count = samples.size();
    List<Sample> earlier = samples.subList(count / 4, Math.max(count / 4 + 1, count / 2));
    List<Sample> later = samples.subList(count * 3 / 4, count);
    for (Sample.Figure figure : Sample.Figure.ALL) {
      assertThat(figure.grows(earlier, later))
          .as(
              "%s grows from %d to %d, see %s",
              figure.name(), figure.median(earlier), figure.median(later), TABLE)
          .isFalse();
    }
  }
}
