package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.client.Transcript;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which member of a group runs what, and what administrators see and do. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ReplicaRoutingIT {

  private final ReplicaFixture fixture =
      ReplicaFixture.start(
          "routing",
          "transactionalReadQueryStrategy: DYNAMIC",
          "healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: 1 }",
          "discovery: { type: REPLICATION, holdWritesMilliseconds: 30000 }");

  @AfterEach
  void stop() {
    fixture.close();
  }

  private Set<Integer> replicas() {
    return Set.of(fixture.b.port(), fixture.c.port());
  }

  @Test
  void everyStatementGoesWhereItBelongs() throws SQLException {
    try (Connection client = fixture.connect()) {
      var readers = new HashSet<Integer>();
      for (int i = 0; i < 6; i++) {
        readers.add(ReplicaFixture.reader(client));
      }
      assertThat(readers).isEqualTo(replicas());
      assertThat(ReplicaFixture.writer(client)).isEqualTo(fixture.a.port());
      fixture.a.execute("CREATE FUNCTION rw.my_server() RETURNS INT NO SQL RETURN @@server_id");
      assertThat(ReplicaFixture.serverOf(client, "SELECT my_server()"))
          .as("nobody knows what a stored function does")
          .isEqualTo(fixture.a.port());
      assertThat(
              ReplicaFixture.serverOf(
                  client, "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT @@server_id"))
          .isEqualTo(fixture.a.port());
      assertThat(
              ReplicaFixture.serverOf(
                  client, "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=c */ SELECT @@server_id"))
          .isEqualTo(fixture.c.port());

      String hinted =
          "EXPLAIN ROUTE /* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT 1 FROM t";
      assertThat(Transcript.of(client, hinted).rows().toString()).contains("g -> a");

      ReplicaFixture.execute(client, "START TRANSACTION READ ONLY");
      int member = ReplicaFixture.reader(client);
      assertThat(replicas()).contains(member);
      assertThat(ReplicaFixture.reader(client)).isEqualTo(member);
      ReplicaFixture.execute(client, "COMMIT");

      ReplicaFixture.execute(client, "BEGIN");
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)");
      assertThat(ReplicaFixture.reader(client)).isEqualTo(fixture.a.port());
      ReplicaFixture.execute(client, "COMMIT");

      ReplicaFixture.execute(client, "CREATE TEMPORARY TABLE mine (v INT)");
      ReplicaFixture.execute(client, "INSERT INTO mine VALUES (7)");
      assertThat(ReplicaFixture.serverOf(client, "SELECT v FROM mine")).isEqualTo(7);
    }
  }

  @Test
  void stateIsWhereItWasMade() throws SQLException {
    String onReplica = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=b */ ";
    try (Connection client = fixture.connect()) {
      ReplicaFixture.execute(client, "CREATE TEMPORARY TABLE mine (v INT)");
      ReplicaFixture.execute(client, "BEGIN");
      ReplicaFixture.execute(client, "INSERT INTO mine VALUES (7)");
      assertThat(ReplicaFixture.serverOf(client, onReplica + "SELECT @@server_id"))
          .isEqualTo(fixture.b.port());
      ReplicaFixture.execute(client, "COMMIT");
      assertThat(ReplicaFixture.serverOf(client, "SELECT v FROM mine")).isEqualTo(7);
    }
    try (Connection client = fixture.connect()) {
      ReplicaFixture.execute(client, onReplica + "SELECT GET_LOCK('there', 0)");
      assertThat(ReplicaFixture.writer(client)).isEqualTo(fixture.a.port());
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)");
      assertThat(
              ReplicaFixture.serverOf(
                  client, onReplica + "SELECT IS_USED_LOCK('there') = CONNECTION_ID()"))
          .isEqualTo(1);
    }
  }

  @Test
  void administratorsSeeMembersAndTakeThemOut() throws SQLException {
    try (Connection client = fixture.connect()) {
      assertThat(members(client))
          .containsExactly("a primary writes", "b replica reads", "c replica reads");
      ReplicaFixture.execute(client, "ALTER READWRITE_SPLITTING RULE `g` DISABLE `b`");
      assertThat(members(client))
          .containsExactly("a primary writes", "b replica ", "c replica reads");
      for (int i = 0; i < 4; i++) {
        assertThat(ReplicaFixture.reader(client)).isEqualTo(fixture.c.port());
      }
      ReplicaFixture.execute(client, "ALTER READWRITE_SPLITTING RULE g ENABLE b");
      assertThat(members(client)).contains("b replica reads");
      assertThatThrownBy(
              () -> ReplicaFixture.execute(client, "ALTER READWRITE_SPLITTING RULE g DISABLE x"))
          .hasMessageContaining("'x'");
      try (Statement statement = client.createStatement();
          ResultSet rows = statement.executeQuery("SHOW READWRITE_SPLITTING EVENTS")) {
        assertThat(rows.next()).isTrue();
      }
    }
  }

  private static List<String> members(Connection client) throws SQLException {
    var members = new ArrayList<String>();
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SHOW STATUS FROM READWRITE_SPLITTING RULES")) {
      while (rows.next()) {
        members.add(
            rows.getString("member")
                + " "
                + rows.getString("role")
                + " "
                + rows.getString("takes"));
      }
    }
    return members;
  }

  @Test
  void aDrainedPrimaryCanBeChangedWithoutLosingATransaction() throws Exception {
    var errors = new ConcurrentLinkedQueue<String>();
    var done = new AtomicInteger();
    var stop = new CountDownLatch(1);
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      int writer = i;
      clients.add(Thread.ofVirtual().start(() -> transactions(writer, done, stop, errors)));
    }
    awaitMore(done, 100);
    try (Connection admin = fixture.connect()) {
      ReplicaFixture.execute(admin, "ALTER READWRITE_SPLITTING RULE g DISABLE a");
      fixture.awaitIdle(fixture.a);
      fixture.a.execute("SET GLOBAL read_only = ON");
      fixture.a.awaitReplica(fixture.b);
      fixture.b.promote();
      fixture.a.follow(fixture.b);
      fixture.c.execute("STOP SLAVE");
      fixture.c.follow(fixture.b);
      awaitMore(done, 100);
      ReplicaFixture.execute(admin, "ALTER READWRITE_SPLITTING RULE g ENABLE a");
      assertThat(ReplicaFixture.writer(admin)).isEqualTo(fixture.b.port());
    }
    stop.countDown();
    for (Thread client : clients) {
      client.join();
    }
    assertThat(errors).isEmpty();
    assertThat(fixture.b.queryOne("SELECT COUNT(*) FROM rw.log"))
        .isEqualTo(Integer.toString(2 * done.get()));
  }

  /** Reads outside, two rows inside of each transaction. */
  private void transactions(
      int writer, AtomicInteger done, CountDownLatch stop, ConcurrentLinkedQueue<String> errors) {
    try (Connection client = fixture.connect()) {
      for (int n = 0; stop.getCount() > 0; n += 2) {
        int reader = ReplicaFixture.reader(client);
        if (reader == ReplicaFixture.writer(client) && done.get() < 50) {
          errors.add("read from the primary");
        }
        client.setAutoCommit(false);
        ReplicaFixture.execute(
            client, "INSERT INTO log (writer, n) VALUES (" + writer + ", " + n + ")");
        ReplicaFixture.execute(
            client, "INSERT INTO log (writer, n) VALUES (" + writer + ", " + (n + 1) + ")");
        client.commit();
        client.setAutoCommit(true);
        done.incrementAndGet();
      }
    } catch (SQLException failure) {
      errors.add(failure.getErrorCode() + " " + failure.getMessage());
    }
  }

  private static void awaitMore(AtomicInteger done, int count) {
    int target = done.get() + count;
    ReplicaFixture.await(count + " more transactions", () -> done.get() >= target);
  }
}
