package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Load;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary and two replicas that are stopped, killed, paused and promoted under load. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class FailoverIT {

  private static final String[] DISCOVERED = {
    "healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: 1, fall: 2 }",
    "discovery: { type: REPLICATION, holdWritesMilliseconds: 20000 }"
  };

  private ReplicaFixture fixture = ReplicaFixture.start("failover", DISCOVERED);

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Clients that write rows, and what of it was acknowledged. */
  private final class Writers {
    final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Load load;

    Writers(int count) {
      var ids = new AtomicInteger();
      load =
          Load.start(
              count,
              () -> fixture.connect(),
              (client, _) -> {
                int id = ids.incrementAndGet();
                ReplicaFixture.execute(
                    client, "INSERT INTO log (writer, n) VALUES (0, %d)".formatted(id));
                acknowledged.add("0:" + id);
              });
      load.awaitMore(100);
    }

    void end() throws InterruptedException {
      load.awaitMore(100);
      load.end();
    }
  }

  private void promote(MariaDbServer heir) {
    MariaDbServer other = heir == fixture.b ? fixture.c : fixture.b;
    heir.promote();
    other.execute("STOP SLAVE");
    other.follow(heir);
  }

  private static Set<String> stored(MariaDbServer server) throws SQLException {
    var stored = new HashSet<String>();
    try (Connection connection = ReplicaFixture.direct(server);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT writer, n FROM log")) {
      while (rows.next()) {
        stored.add(rows.getInt(1) + ":" + rows.getInt(2));
      }
    }
    return stored;
  }

  private int writer() {
    try (Connection connection = fixture.connect()) {
      return ReplicaFixture.writer(connection);
    } catch (SQLException notNow) {
      return -1;
    }
  }

  @Tag("quick")
  @Test
  void aPlannedChangeCostsNoStatement() throws Exception {
    var writers = new Writers(4);
    fixture.a.execute("SET GLOBAL read_only = ON");
    fixture.a.awaitReplica(fixture.b);
    promote(fixture.b);
    fixture.a.follow(fixture.b);
    writers.end();
    assertThat(writers.load.errors()).isEmpty();
    assertThat(writer()).isEqualTo(fixture.b.port());
    assertThat(stored(fixture.b)).isEqualTo(writers.acknowledged);
  }

  @Test
  void whatWasAcknowledgedSurvivesThePrimarysDeath() throws Exception {
    var writers = new Writers(4);
    fixture.a.kill();
    MariaDbServer heir = laterOf(fixture.b, fixture.c);
    promote(heir);
    writers.end();
    assertThat(writer()).isEqualTo(heir.port());
    assertThat(stored(heir)).containsAll(writers.acknowledged);
    assertThat(writers.load.errors())
        .as("only those under way can have failed")
        .hasSizeLessThanOrEqualTo(4)
        .allMatch(error -> error.contains("AB3003"));
  }

  /** With semi-synchronous replication the one that got most has got all that was acknowledged. */
  private static MariaDbServer laterOf(MariaDbServer b, MariaDbServer c) {
    for (MariaDbServer each : List.of(b, c)) {
      ReplicaFixture.await(
          each.name() + " has applied what it got",
          () -> each.queryOne("SHOW SLAVE STATUS").isEmpty() || isApplied(each));
    }
    return sequence(b) >= sequence(c) ? b : c;
  }

  private static boolean isApplied(MariaDbServer server) {
    try (Connection connection = server.connect("");
        Statement statement = connection.createStatement();
        ResultSet status = statement.executeQuery("SHOW SLAVE STATUS")) {
      status.next();
      return status.getString("Gtid_IO_Pos").equals(server.queryOne("SELECT @@gtid_slave_pos"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long sequence(MariaDbServer server) {
    String position = server.queryOne("SELECT @@gtid_slave_pos");
    return Long.parseLong(position.substring(position.lastIndexOf('-') + 1));
  }

  @Test
  void aHungPrimaryIsLeftAndItsReturnStopsWrites() throws Exception {
    var writers = new Writers(2);
    fixture.a.pause();
    MariaDbServer heir = laterOf(fixture.b, fixture.c);
    MariaDbServer other = heir == fixture.b ? fixture.c : fixture.b;
    promote(heir);
    writers.end();
    assertThat(writer()).isEqualTo(heir.port());
    assertThat(stored(heir)).containsAll(writers.acknowledged);

    fixture.a.goOn();
    try (Connection client = fixture.connect()) {
      ReplicaFixture.await("writes are stopped", () -> isStopped(client));
      assertThat(ReplicaFixture.reader(client)).isEqualTo(other.port());
      fixture.a.execute("SET GLOBAL read_only = ON");
      ReplicaFixture.await("writes go on", () -> !isStopped(client));
      assertThat(ReplicaFixture.writer(client)).isEqualTo(heir.port());
    }
  }

  private static boolean isStopped(Connection client) {
    try {
      ReplicaFixture.execute(
          client, "INSERT INTO t VALUES (0, 0) ON DUPLICATE KEY UPDATE v = v + 1");
      return false;
    } catch (SQLException refused) {
      assertThat(refused.getErrorCode()).isEqualTo(1290);
      return String.valueOf(refused.getMessage()).contains("AB3011");
    }
  }

  /** Programs may say whatever they like: it is believed once, and then it is the client's. */
  @Test
  void aTriggerThatSaysReadOnlyStopsNobody() throws Exception {
    fixture.a.execute(
        "CREATE TRIGGER rw.says BEFORE INSERT ON rw.t FOR EACH ROW BEGIN"
            + " SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1836, MESSAGE_TEXT = 'read-only mode'; END");
    try (Connection client = fixture.connect();
        Connection other = fixture.connect()) {
      assertThatThrownBy(() -> ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)"))
          .isInstanceOfSatisfying(
              SQLException.class, mine -> assertThat(mine.getErrorCode()).isEqualTo(1836));
      ReplicaFixture.execute(other, "INSERT INTO log (writer, n) VALUES (9, 1)");
    }
  }

  /**
   * Temporary tables and locks are of the former primary: on the new one a statement would be about
   * other tables, and beside others who have the locks.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatASessionHadOnTheFormerPrimaryIsLost(boolean isKilled) throws Exception {
    fixture.a.execute("CREATE TABLE rw.victim (a INT)", "INSERT INTO rw.victim VALUES (1), (2)");
    List<List<String>> states =
        List.of(
            List.of("CREATE TEMPORARY TABLE victim (a INT)", "INSERT INTO victim VALUES (7)"),
            List.of("SELECT GET_LOCK('of_writers', 0)"));
    var uses =
        new ArrayList<List<String>>(
            List.of(
                List.of("BEGIN", "INSERT INTO log (writer, n) VALUES (1, 1)", "DELETE FROM victim"),
                List.of("SET autocommit = 0", "DELETE FROM victim"),
                List.of("START TRANSACTION READ ONLY", "SELECT * FROM victim")));
    if (isKilled) {
      // one that is a replica now answers outside of transactions, where it may
      uses.add(List.of("DELETE FROM victim"));
      uses.add(List.of("SELECT COUNT(*) FROM log"));
    }
    var sessions = new ArrayList<Connection>();
    for (List<String> state : states) {
      for (int i = 0; i < uses.size(); i++) {
        Connection session = fixture.connect();
        sessions.add(session);
        for (String sql : state) {
          ReplicaFixture.execute(session, sql.replace("of_writers", "lock_" + i));
        }
      }
    }
    if (isKilled) {
      fixture.a.kill();
    } else {
      fixture.a.execute("SET GLOBAL read_only = ON");
      fixture.a.awaitReplica(fixture.b);
    }
    promote(fixture.b);
    ReplicaFixture.await("another one writes", () -> writer() == fixture.b.port());
    for (int i = 0; i < sessions.size(); i++) {
      List<String> statements = uses.get(i % uses.size());
      Connection session = sessions.get(i);
      assertThatThrownBy(
              () -> {
                for (String sql : statements) {
                  ReplicaFixture.execute(session, sql);
                }
              })
          .as(statements.toString())
          .hasMessageContaining("AB3019");
      assertThat(session.isValid(5)).isFalse();
    }
    assertThat(fixture.b.queryOne("SELECT COUNT(*) FROM rw.victim")).isEqualTo("2");
    for (Connection session : sessions) {
      session.close();
    }
  }

  @Test
  void anOpenTransactionGetsTheOldPrimarysError() throws Exception {
    try (Connection client = fixture.connect()) {
      client.setAutoCommit(false);
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)");
      fixture.a.execute("SET GLOBAL read_only = ON");
      fixture.b.promote();
      ReplicaFixture.await("b is the primary", () -> writer() == fixture.b.port());
      assertThatThrownBy(
              () -> {
                ReplicaFixture.execute(client, "INSERT INTO t VALUES (2, 2)");
                client.commit();
              })
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("read-only");
      client.rollback();
      client.setAutoCommit(true);
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (3, 3)");
    }
    assertThat(fixture.b.queryOne("SELECT GROUP_CONCAT(id) FROM rw.t")).isEqualTo("3");
    assertThat(fixture.a.queryOne("SELECT COUNT(*) FROM rw.t")).isEqualTo("0");
  }

  @Test
  void aTransactionsFirstWriteWaitsForTheNextPrimary() throws Exception {
    try (Connection client = fixture.connect();
        Connection watcher = fixture.connect()) {
      client.setAutoCommit(false);
      ReplicaFixture.execute(client, "SAVEPOINT earlier");
      fixture.a.execute("SET GLOBAL read_only = ON");
      var promoted =
          Thread.ofVirtual()
              .start(
                  () -> {
                    ReplicaFixture.await("writes wait", () -> !ReplicaFixture.takesWrites(watcher));
                    fixture.b.promote();
                  });
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)");
      promoted.join();
      ReplicaFixture.execute(client, "SAVEPOINT later");
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (2, 2)");
      ReplicaFixture.execute(client, "ROLLBACK TO later");
      client.commit();
    }
    assertThat(fixture.b.queryOne("SELECT GROUP_CONCAT(id) FROM rw.t")).isEqualTo("1");
  }

  @Test
  void readsOutliveReplicasThatStopDieOrHang() throws Exception {
    var seen = ConcurrentHashMap.<Integer>newKeySet();
    var load =
        Load.start(
            4, () -> fixture.connect(), (client, _) -> seen.add(ReplicaFixture.reader(client)));
    load.awaitMore(200);
    fixture.b.stop();
    load.awaitMore(200);
    fixture.b.startAgain();
    awaitSeen(seen, fixture.b, fixture.c);
    fixture.b.kill();
    load.awaitMore(200);
    fixture.c.pause();
    load.awaitMore(200);
    awaitSeen(seen, fixture.a);
    fixture.c.goOn();
    fixture.b.startAgain();
    awaitSeen(seen, fixture.b, fixture.c);
    load.end();
    assertThat(load.errors()).isEmpty();
  }

  /** Waits until these, and no others, have been read from. */
  private static void awaitSeen(Set<Integer> seen, MariaDbServer... servers) {
    var ports = new HashSet<Integer>();
    for (MariaDbServer server : servers) {
      ports.add(server.port());
    }
    ReplicaFixture.await(
        "reads from " + ports,
        () -> {
          boolean isSo = seen.equals(ports);
          seen.clear();
          return isSo;
        });
  }
}
