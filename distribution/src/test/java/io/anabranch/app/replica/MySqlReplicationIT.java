package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * MySQL's replication by GTID, semi-synchronous, a primary and two replicas: skipped where no MySQL
 * server is (see {@link MySqlServer}).
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class MySqlReplicationIT {

  private static final int PAIRS = Integer.getInteger("consistency.pairs", 300);

  private static final List<MySqlServer> servers = new ArrayList<>();
  private static RunningProxy proxy;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    for (int i = 0; i < 3; i++) {
      servers.add(
          MySqlServer.start(
              "replication-" + i,
              "--plugin-load-add=semisync_source.so",
              "--plugin-load-add=semisync_replica.so",
              "--loose-rpl-semi-sync-replica-enabled=ON",
              "--loose-rpl-semi-sync-source-timeout=30000"));
    }
    a().execute(
            "CREATE DATABASE rw",
            "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
            "GRANT ALL ON rw.* TO proxy@'%'",
            "GRANT REPLICATION CLIENT ON *.* TO proxy@'%'",
            "CREATE TABLE rw.t (id INT PRIMARY KEY, v INT)",
            "INSERT INTO rw.t VALUES (1, 0)",
            "CREATE TABLE rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE)"
                + " AUTO_INCREMENT=1000000000000");
    for (MySqlServer replica : List.of(b(), c())) {
      replica.follow(a());
      a().awaitReplica(replica);
    }
    a().execute("SET GLOBAL rpl_semi_sync_source_enabled = ON");
    var database = new StringBuilder("databaseName: rw\ndataSources:\n");
    for (int i = 0; i < 3; i++) {
      database.append(servers.get(i).dataSource("m" + i, "rw"));
    }
    database.append(
        """
        rules:
        - !READWRITE_SPLITTING
          dataSourceGroups:
            g:
              writeDataSourceName: m0
              readDataSourceNames: [m1, m2]
              readConsistency: SESSION
              consistencyTimeoutMilliseconds: 20
              healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: 1 }
              discovery: { type: REPLICATION, holdWritesMilliseconds: 60000 }
        """);
    proxy = RunningProxy.start(List.of(), database.toString());
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    servers.forEach(MySqlServer::close);
  }

  private static MySqlServer a() {
    return servers.get(0);
  }

  private static MySqlServer b() {
    return servers.get(1);
  }

  private static MySqlServer c() {
    return servers.get(2);
  }

  private static Connection connect() throws SQLException {
    return proxy.connect("rw");
  }

  private static int writer() {
    try (Connection client = connect()) {
      return ReplicaFixture.writer(client);
    } catch (SQLException notNow) {
      return -1;
    }
  }

  private static void delay(MySqlServer replica, int seconds) {
    replica.execute(
        "STOP REPLICA SQL_THREAD",
        "CHANGE REPLICATION SOURCE TO SOURCE_DELAY = " + seconds,
        "START REPLICA SQL_THREAD");
  }

  /** Writes, each followed by a read on the same session or another one. */
  private static int stale(String level, boolean sameSession, Set<Integer> readers)
      throws SQLException {
    int stale = 0;
    try (Connection writing = connect();
        Connection other = connect()) {
      Connection reading = sameSession ? writing : other;
      ReplicaFixture.execute(reading, "SET anabranch_read_consistency = '" + level + "'");
      int expected = Integer.parseInt(a().queryOne("SELECT v FROM rw.t WHERE id = 1"));
      for (int i = 0; i < PAIRS; i++) {
        ReplicaFixture.execute(writing, "UPDATE t SET v = v + 1 WHERE id = 1");
        expected++;
        stale +=
            ReplicaFixture.serverOf(reading, "SELECT v FROM t WHERE id = 1") < expected ? 1 : 0;
        // Twice, so that the turn does not come to the same one each time.
        readers.add(ReplicaFixture.reader(reading));
        readers.add(ReplicaFixture.reader(reading));
      }
    }
    return stale;
  }

  @Test
  @Order(1)
  void noReadIsStaleThoughOneReplicaIsLate() throws SQLException {
    delay(b(), 1);
    for (String level : List.of("SESSION", "USER", "GLOBAL")) {
      var readers = new HashSet<Integer>();
      assertThat(stale(level, level.equals("SESSION"), readers)).as(level).isZero();
      assertThat(readers).as("the one that keeps up answers too").contains(c().port());
    }
    assertThat(stale("EVENTUAL", true, new HashSet<>())).isPositive();
    delay(b(), 0);
    a().awaitReplica(b());
  }

  @Test
  @Order(2)
  void aPlannedChangeCostsNoWrite() throws InterruptedException {
    var writes = AcknowledgedWrites.start(3, 0, () -> connect());
    a().execute("SET GLOBAL super_read_only = ON");
    a().awaitReplica(b());
    b().promote();
    b().execute("SET GLOBAL rpl_semi_sync_source_enabled = ON");
    c().execute("STOP REPLICA");
    c().follow(b());
    a().execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF");
    a().follow(b());
    writes.endAfterMore();
    assertThat(writer()).isEqualTo(b().port());
    assertThat(writes.errors()).isEmpty();
    assertThat(writes.missing(b()::queryOne)).isEmpty();
  }

  /** What a hint sets is over with its statement: reads stay with the replicas. */
  @Test
  @Order(2)
  void hintsThatSetVariablesMoveNoReads() throws SQLException {
    for (String sql :
        List.of(
            "SELECT /*+ SET_VAR(sort_buffer_size = 300000) */ v FROM t WHERE id = 1",
            "SELECT /*+ SET_VAR(max_execution_time = 9000) */ COUNT(*), @@max_execution_time FROM t",
            "SELECT /*+ SET_VAR(group_concat_max_len = 4) */ GROUP_CONCAT(v) FROM t")) {
      try (Connection client = connect()) {
        ReplicaFixture.execute(client, "SET anabranch_read_consistency = 'EVENTUAL'");
        ReplicaFixture.serverOf(client, sql);
        assertThat(ReplicaFixture.reader(client)).as(sql).isNotEqualTo(writer());
        assertThat(ReplicaFixture.reader(client)).as(sql).isNotEqualTo(writer());
      }
    }
  }

  @Test
  @Order(3)
  void whatWasAcknowledgedSurvivesThePrimarysDeath() throws Exception {
    var writes = AcknowledgedWrites.start(3, 1_000_000, () -> connect());
    b().kill();
    MySqlServer heir = heir();
    MySqlServer other = heir == a() ? c() : a();
    heir.promote();
    other.execute("STOP REPLICA");
    other.follow(heir);
    ReplicaFixture.await("the heir takes writes", () -> writer() == heir.port());
    writes.endAfterMore();
    assertThat(writes.missing(heir::queryOne)).isEmpty();
    assertThat(writes.errors())
        .as("only those under way can have failed")
        .hasSizeLessThanOrEqualTo(3)
        .allMatch(e -> e.contains("AB3003"));
  }

  /** The one that has got more, after both have applied what they got. */
  private static MySqlServer heir() {
    for (MySqlServer each : List.of(a(), c())) {
      each.execute("STOP REPLICA IO_THREAD");
      String received =
          each.queryOne(
              "SELECT RECEIVED_TRANSACTION_SET FROM performance_schema.replication_connection_status");
      assertThat(
              each.queryOne(
                  "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + received.replace("\n", "") + "', 60)"))
          .isEqualTo("0");
    }
    String ofA = a().queryOne("SELECT @@global.gtid_executed").replace("\n", "");
    String isSubset = c().queryOne("SELECT GTID_SUBSET('" + ofA + "', @@global.gtid_executed)");
    return isSubset.equals("1") ? c() : a();
  }
}
