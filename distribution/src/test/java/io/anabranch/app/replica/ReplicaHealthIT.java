package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.Load;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas that fall behind, stand still and hang, and what is read from them meanwhile. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
@Tag("long")
class ReplicaHealthIT {

  private static final int RISE = 2;
  private static final int FOR_EVER = 3600;

  /** How often this server was asked for its replication since it began to answer. */
  private static final String PROBES =
      "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
          + " WHERE VARIABLE_NAME = 'COM_SHOW_SLAVE_STATUS'";

  private static ReplicaFixture fixture;

  @BeforeAll
  static void start() {
    String check = "intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: " + RISE;
    fixture =
        ReplicaFixture.startDatabases(
            "replicahealth",
            Map.of(
                "rw",
                new String[] {
                  "healthCheck: { " + check + ", maxReplicationLagMilliseconds: 1500 }",
                  "discovery: { type: REPLICATION }"
                },
                "beats",
                new String[] {
                  "healthCheck: { "
                      + check
                      + ", maxReplicationLagMilliseconds: 60000, heartbeatTable: rw.heartbeat }",
                  "discovery: { type: REPLICATION }"
                }));
    fixture.a.execute(
        "CREATE TABLE rw.heartbeat (id INT PRIMARY KEY, ts VARCHAR(26)) ENGINE=InnoDB",
        "CREATE USER plain@'%' IDENTIFIED BY 'plain'",
        "GRANT ALL ON rw.* TO plain@'%'");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @AfterEach
  void catchUp() {
    delay(fixture.b, 0);
    fixture.a.awaitReplica(fixture.b);
  }

  private static void delay(MariaDbServer replica, int seconds) {
    replica.execute("STOP SLAVE", "CHANGE MASTER TO MASTER_DELAY = " + seconds, "START SLAVE");
  }

  private static void beat(String ts) {
    fixture.a.execute("REPLACE INTO rw.heartbeat VALUES (1, '" + ts + "')");
  }

  /** What {@code SHOW STATUS FROM READWRITE_SPLITTING RULES} says of a member. */
  private static String shown(Connection client, String member, String column) {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SHOW STATUS FROM READWRITE_SPLITTING RULES")) {
      while (rows.next()) {
        if (rows.getString("member").equals(member)) {
          return rows.getString(column);
        }
      }
      throw new AssertionError("no member " + member);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitState(Connection client, String member, String state) {
    Eventually.holds(member + " is " + state, () -> shown(client, member, "state").equals(state));
  }

  private static Set<Integer> readers(Connection client) throws SQLException {
    var readers = new HashSet<Integer>();
    for (int i = 0; i < 6; i++) {
      readers.add(ReplicaFixture.reader(client));
    }
    return readers;
  }

  @Test
  void aReplicaBehindTheThresholdByItsStatusTakesNoReads() throws SQLException {
    try (Connection client = fixture.connect()) {
      awaitState(client, "b", "ONLINE");
      delay(fixture.b, FOR_EVER);
      ReplicaFixture.execute(client, "REPLACE INTO t VALUES (1, 1)");
      Eventually.holds(
          "not only because it is stopped while the delay is set",
          () -> shown(client, "b", "reason").contains("ms behind"));
      assertThat(shown(client, "b", "state")).isEqualTo("LAGGING");
      assertThat(readers(client)).containsExactly(fixture.c.port());
      assertThat(Long.parseLong(shown(client, "b", "lag_milliseconds"))).isGreaterThan(1500);
      delay(fixture.b, 0);
      awaitState(client, "b", "ONLINE");
      assertThat(readers(client)).contains(fixture.b.port());
    }
  }

  @Test
  void aReplicaBehindTheThresholdByTheHeartbeatTakesNoReads() throws SQLException {
    beat("2000-01-01 00:00:00");
    try (Connection client = fixture.connectTo("beats")) {
      awaitState(client, "b", "LAGGING");
      awaitState(client, "c", "LAGGING");
      assertThat(readers(client)).as("all beat too long ago").containsExactly(fixture.a.port());
      delay(fixture.b, FOR_EVER);
      beat("2099-01-01 00:00:00");
      awaitState(client, "c", "ONLINE");
      assertThat(shown(client, "b", "state")).isEqualTo("LAGGING");
      assertThat(readers(client)).containsExactly(fixture.c.port());
      delay(fixture.b, 0);
      awaitState(client, "b", "ONLINE");
      assertThat(readers(client)).contains(fixture.b.port(), fixture.c.port());
    }
  }

  /** Such an account does not see whom a server follows: the heartbeat alone tells. */
  @Test
  void theHeartbeatSufficesForAnAccountWithoutRights() throws SQLException {
    beat("2099-01-01 00:00:00");
    String database =
        "databaseName: rw\ndataSources:\n"
            + source("a", fixture.a)
            + source("b", fixture.b)
            + source("c", fixture.c)
            + """
            rules:
            - !READWRITE_SPLITTING
              dataSourceGroups:
                g:
                  writeDataSourceName: a
                  readDataSourceNames: [b, c]
                  discovery: { type: REPLICATION }
                  healthCheck:
                    { intervalMilliseconds: 1000, maxReplicationLagMilliseconds: 60000,
                      heartbeatTable: rw.heartbeat }
            """;
    try (RunningProxy proxy = RunningProxy.start(List.of(), database);
        Connection client = proxy.connect("rw")) {
      Eventually.holds("b takes reads", () -> shown(client, "b", "takes").equals("reads"));
      Eventually.holds("c takes reads", () -> shown(client, "c", "takes").equals("reads"));
      assertThat(readers(client)).containsExactlyInAnyOrder(fixture.b.port(), fixture.c.port());
      assertThat(ReplicaFixture.writer(client)).isEqualTo(fixture.a.port());
      fixture.b.execute(
          "SET sql_log_bin = 0", "UPDATE rw.heartbeat SET ts = '2000-01-01 00:00:00'");
      awaitState(client, "b", "LAGGING");
      assertThat(readers(client)).containsExactly(fixture.c.port());
    }
  }

  private static String source(String name, MariaDbServer server) {
    return "  %s: { url: \"%s\", username: plain, password: plain }\n"
        .formatted(name, server.url("rw"));
  }

  @Test
  void aReplicaThatStandsStillTakesNoReads() throws SQLException {
    try (Connection client = fixture.connect()) {
      awaitState(client, "b", "ONLINE");
      fixture.b.execute("STOP SLAVE SQL_THREAD");
      awaitState(client, "b", "LAGGING");
      assertThat(shown(client, "b", "reason")).contains("stands still");
      assertThat(readers(client)).containsExactly(fixture.c.port());
      fixture.b.execute("START SLAVE SQL_THREAD");
      awaitState(client, "b", "ONLINE");
      fixture.b.execute("STOP SLAVE IO_THREAD");
      Eventually.holds("b is cut off", () -> shown(client, "b", "takes").isEmpty());
      assertThat(readers(client)).containsExactly(fixture.c.port());
      fixture.b.execute("START SLAVE IO_THREAD");
      Eventually.holds("b takes reads", () -> shown(client, "b", "takes").equals("reads"));
    }
  }

  /** Its replicas could answer, but in a transaction the primary is wanted. */
  @Test
  void aTransactionThatBeginsWithAReadWaitsForThePrimaryAsWritesDo() throws Exception {
    try (Connection client = fixture.connect();
        Connection silent = fixture.connect();
        Connection watcher = fixture.connect()) {
      fixture.a.execute("SET GLOBAL read_only = ON");
      Eventually.holds("writes wait", () -> !ReplicaFixture.takesWrites(watcher));
      int id = ReplicaFixture.serverOf(client, "SELECT CONNECTION_ID()");
      var killed = reads(client, "BEGIN");
      awaitHeld(watcher, 1);
      ReplicaFixture.execute(watcher, "KILL QUERY " + id);
      assertThatThrownBy(killed::get)
          .cause()
          .isInstanceOfSatisfying(
              SQLException.class, why -> assertThat(why.getErrorCode()).isEqualTo(1317));
      var held = reads(client, "BEGIN");
      var off = reads(silent, "SET autocommit = 0");
      awaitHeld(watcher, 2);
      assertThat(readers(watcher)).isNotEmpty();
      fixture.a.execute("SET GLOBAL read_only = OFF");
      assertThat(held.get()).isEqualTo(fixture.a.port());
      assertThat(off.get()).isEqualTo(fixture.a.port());
    } finally {
      fixture.a.execute("SET GLOBAL read_only = OFF");
    }
  }

  private static FutureTask<Integer> reads(Connection client, String first) {
    var read =
        new FutureTask<>(
            () -> {
              ReplicaFixture.execute(client, first);
              return ReplicaFixture.reader(client);
            });
    Thread.startVirtualThread(read);
    return read;
  }

  private static void awaitHeld(Connection watcher, int count) {
    Eventually.holds(count + " sessions wait", () -> reading(watcher) == count);
  }

  private static int reading(Connection watcher) {
    try (Statement statement = watcher.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = 0;
      while (rows.next()) {
        count += "SELECT @@server_id".equals(rows.getString("Info")) ? 1 : 0;
      }
      return count;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Counted by the replica itself: each of the proxy's questions asks for its replication. */
  @Test
  void readsComeBackWithTheSecondAnswer() throws Exception {
    try (Connection admin = fixture.connect()) {
      awaitState(admin, "b", "ONLINE");
      fixture.b.pause();
      awaitState(admin, "b", "DOWN");
    }
    int port = fixture.b.port();
    var probes = new ConcurrentHashMap<Integer, Integer>();
    var load =
        Load.start(
            3,
            () -> fixture.connect(),
            (client, _) -> {
              try (Statement statement = client.createStatement();
                  ResultSet row = statement.executeQuery("SELECT @@server_id, (" + PROBES + ")")) {
                row.next();
                probes.putIfAbsent(row.getInt(1), row.getInt(2));
              }
            });
    load.awaitMore(100);
    assertThat(probes).doesNotContainKey(port);
    fixture.b.goOn();
    int before = Integer.parseInt(fixture.b.queryOne(PROBES));
    Eventually.holds("reads are back", () -> probes.containsKey(port));
    load.end();
    assertThat(load.errors()).isEmpty();
    // Each of the two databases asks; the last question before may be counted later.
    assertThat(probes.getOrDefault(port, 0) - before).isLessThanOrEqualTo(2 * (RISE + 1));
  }
}
