package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary and two replicas that are stopped, killed, paused and promoted under load. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class FailoverIT {

  private static final String[] DISCOVERED = {
    "healthCheck: { intervalMilliseconds: 300, timeoutMilliseconds: 300, rise: 1, fall: 2 }",
    "discovery: { type: REPLICATION, holdWritesMilliseconds: 20000 }"
  };

  private ReplicaFixture fixture = ReplicaFixture.start("failover", DISCOVERED);

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Clients that write rows, each its own sequence, until they are told to stop. */
  private final class Writers {
    final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    final AtomicInteger done = new AtomicInteger();
    final CountDownLatch stop = new CountDownLatch(1);
    final List<Thread> threads = new ArrayList<>();

    Writers(int count) {
      for (int i = 0; i < count; i++) {
        int writer = i;
        threads.add(Thread.ofVirtual().start(() -> run(writer)));
      }
    }

    private void run(int writer) {
      int n = 0;
      while (stop.getCount() > 0) {
        try (Connection connection = fixture.connect();
            PreparedStatement insert =
                connection.prepareStatement("INSERT INTO log (writer, n) VALUES (?, ?)")) {
          while (stop.getCount() > 0) {
            n++;
            insert.setInt(1, writer);
            insert.setInt(2, n);
            insert.executeUpdate();
            acknowledged.add(writer + ":" + n);
            done.incrementAndGet();
          }
        } catch (SQLException failure) {
          errors.add(failure.getErrorCode() + " " + failure.getMessage());
        }
      }
    }

    void awaitMore(int count) {
      int target = done.get() + count;
      ReplicaFixture.await(count + " more writes; errors: " + errors, () -> done.get() >= target);
    }

    void end() throws InterruptedException {
      stop.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
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

  @Test
  void aPlannedChangeCostsNoStatement() throws Exception {
    var writers = new Writers(4);
    writers.awaitMore(200);
    fixture.a.execute("SET GLOBAL read_only = ON");
    fixture.a.awaitReplica(fixture.b);
    fixture.b.promote();
    fixture.a.follow(fixture.b);
    fixture.c.execute("STOP SLAVE");
    fixture.c.follow(fixture.b);
    writers.awaitMore(200);
    writers.end();
    assertThat(writers.errors).isEmpty();
    assertThat(writer()).isEqualTo(fixture.b.port());
    assertThat(stored(fixture.b)).isEqualTo(writers.acknowledged);
  }

  @Test
  void whatWasAcknowledgedSurvivesThePrimarysDeath() throws Exception {
    var writers = new Writers(4);
    writers.awaitMore(200);
    fixture.a.kill();
    MariaDbServer heir = laterOf(fixture.b, fixture.c);
    MariaDbServer other = heir == fixture.b ? fixture.c : fixture.b;
    heir.promote();
    other.execute("STOP SLAVE");
    other.follow(heir);
    writers.awaitMore(200);
    writers.end();
    assertThat(writer()).isEqualTo(heir.port());
    assertThat(stored(heir)).containsAll(writers.acknowledged);
    assertThat(writers.errors)
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
    writers.awaitMore(50);
    fixture.a.pause();
    MariaDbServer heir = laterOf(fixture.b, fixture.c);
    MariaDbServer other = heir == fixture.b ? fixture.c : fixture.b;
    heir.promote();
    other.execute("STOP SLAVE");
    other.follow(heir);
    writers.awaitMore(50);
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
  void readsOutliveReplicasThatDieOrHang() throws Exception {
    var errors = new ConcurrentLinkedQueue<String>();
    var reads = new AtomicInteger();
    var stop = new CountDownLatch(1);
    var readers = new ArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Connection client = fixture.connect()) {
                      while (stop.getCount() > 0) {
                        ReplicaFixture.reader(client);
                        reads.incrementAndGet();
                      }
                    } catch (SQLException failure) {
                      errors.add(failure.getMessage());
                    }
                  }));
    }
    awaitReads(reads, 200);
    fixture.b.kill();
    awaitReads(reads, 200);
    fixture.c.pause();
    awaitReads(reads, 200);
    try (Connection client = fixture.connect()) {
      assertThat(ReplicaFixture.reader(client)).as("nobody else").isEqualTo(fixture.a.port());
    }
    fixture.c.goOn();
    fixture.b.startAgain();
    try (Connection client = fixture.connect()) {
      var seen = new HashSet<Integer>();
      ReplicaFixture.await(
          "both are read again",
          () -> {
            try {
              seen.add(ReplicaFixture.reader(client));
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
            return seen.containsAll(Set.of(fixture.b.port(), fixture.c.port()));
          });
    }
    stop.countDown();
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(errors).isEmpty();
  }

  private static void awaitReads(AtomicInteger reads, int count) {
    int target = reads.get() + count;
    ReplicaFixture.await(count + " more reads", () -> reads.get() >= target);
  }
}
