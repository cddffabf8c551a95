package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
 * MySQL Group Replication, the proxy following it: skipped where no MySQL server is (see {@link
 * MySqlServer}), because none is in the repositories of most systems.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class GroupReplicationIT {

  private static final List<MySqlServer> servers = new ArrayList<>();
  private static RunningProxy proxy;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    var addresses = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      addresses.add("127.0.0.1:" + FreePorts.one());
    }
    for (int i = 0; i < 3; i++) {
      servers.add(
          MySqlServer.start(
              "group-" + i,
              "--plugin-load-add=group_replication.so",
              "--loose-group-replication-start-on-boot=OFF",
              "--loose-group-replication-group-name=6ad2b1c2-3c5e-4a5f-9d0c-1f2e3d4c5b6a",
              "--loose-group-replication-local-address=" + addresses.get(i),
              "--loose-group-replication-group-seeds=" + String.join(",", addresses),
              "--loose-group-replication-ip-allowlist=127.0.0.1",
              "--loose-group-replication-recovery-get-public-key=ON"));
    }
    String join = "START GROUP_REPLICATION USER='test', PASSWORD='test'";
    MySqlServer first = servers.getFirst();
    first.execute(
        "SET GLOBAL group_replication_bootstrap_group = ON",
        join,
        "SET GLOBAL group_replication_bootstrap_group = OFF",
        "CREATE DATABASE rw",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON rw.* TO proxy@'%'",
        "GRANT SELECT ON performance_schema.* TO proxy@'%'",
        "CREATE TABLE rw.t (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE)"
            + " AUTO_INCREMENT=1000000000000");
    servers.subList(1, 3).forEach(each -> each.execute(join));
    ReplicaFixture.await("all are online", () -> online(first) == 3);
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
              writeDataSourceName: m1
              readDataSourceNames: [m0, m2]
              readConsistency: SESSION
              healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: 1 }
              discovery: { type: GROUP_REPLICATION, holdWritesMilliseconds: 60000 }
        """);
    proxy = RunningProxy.start(List.of(), database.toString());
  }

  private static int online(MySqlServer server) {
    return Integer.parseInt(
        server.queryOne(
            "SELECT COUNT(*) FROM performance_schema.replication_group_members"
                + " WHERE MEMBER_STATE = 'ONLINE'"));
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    servers.forEach(MySqlServer::close);
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

  private static MySqlServer serverAt(int port) {
    return servers.stream().filter(each -> each.port() == port).findFirst().orElseThrow();
  }

  @Test
  @Order(1)
  void readsSeeWritesOnTheSecondaries() throws SQLException {
    var readers = new HashSet<Integer>();
    try (Connection client = connect()) {
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 0)");
      for (int i = 1; i <= 300; i++) {
        ReplicaFixture.execute(client, "UPDATE t SET v = v + 1 WHERE id = 1");
        assertThat(ReplicaFixture.serverOf(client, "SELECT v FROM t WHERE id = 1")).isEqualTo(i);
        // Twice, so that the turn does not come to the same one each time.
        readers.add(ReplicaFixture.reader(client));
        readers.add(ReplicaFixture.reader(client));
      }
      assertThat(ReplicaFixture.writer(client)).isEqualTo(servers.getFirst().port());
    }
    assertThat(readers).isSubsetOf(servers.get(1).port(), servers.get(2).port()).hasSize(2);
  }

  @Test
  @Order(2)
  void aPlannedChangeCostsNoWrite() throws InterruptedException {
    var writers = AcknowledgedWrites.start(3, 0, () -> connect());
    MySqlServer next = servers.get(2);
    servers
        .getFirst()
        .execute(
            "DO group_replication_set_as_primary('" + next.queryOne("SELECT @@server_uuid") + "')");
    ReplicaFixture.await("the next one writes", () -> writer() == next.port());
    writers.endAfterMore();
    assertThat(writers.errors()).isEmpty();
    assertThat(writers.missing(next::queryOne)).isEmpty();
  }

  @Test
  @Order(3)
  void whatWasAcknowledgedSurvivesThePrimarysDeath() throws InterruptedException {
    int former = writer();
    var writers = AcknowledgedWrites.start(3, 1_000_000, () -> connect());
    serverAt(former).kill();
    ReplicaFixture.await("the group has another primary", () -> writer() > 0 && writer() != former);
    writers.endAfterMore();
    assertThat(writers.missing(serverAt(writer())::queryOne)).isEmpty();
    // a statement of each, and of the session that it opens next where nobody has noticed yet
    assertThat(writers.errors()).hasSizeLessThanOrEqualTo(6).allMatch(e -> e.contains("AB3003"));
  }
}
