package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Three nodes of a Galera cluster, the proxy following it: skipped where the provider is not
 * installed (Debian: {@code galera-4}; elsewhere {@code -Dgalera.provider=PATH}).
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class GaleraIT {

  private static final List<MariaDbServer> nodes = new ArrayList<>();
  private static RunningProxy proxy;

  private static Optional<Path> provider() {
    return List.of(
            System.getProperty("galera.provider", ""),
            "/usr/lib/galera/libgalera_smm.so",
            "/usr/lib64/galera-4/libgalera_smm.so",
            "/usr/lib/libgalera_smm.so")
        .stream()
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  @BeforeAll
  static void start() {
    Optional<Path> provider = provider();
    assumeTrue(provider.isPresent(), "no Galera: install galera-4, or name -Dgalera.provider=PATH");
    var ports = new ArrayList<Integer>();
    for (int i = 0; i < 3; i++) {
      // One for the cluster, one for catching up.
      ports.add(FreePorts.inRow(2));
    }
    String address =
        "gcomm://" + String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
    for (int i = 0; i < 3; i++) {
      int port = ports.get(i);
      nodes.add(
          MariaDbServer.start(
              "galera-" + i,
              Map.of("grastate.dat", savedState(i == 0)),
              "--wsrep-on=ON",
              "--wsrep-provider=" + provider.get(),
              "--wsrep-cluster-name=anabranch",
              // The first one founds the cluster; it is never started again.
              "--wsrep-cluster-address=" + (i == 0 ? "gcomm://" : address),
              "--wsrep-node-name=m" + i,
              "--wsrep-node-address=127.0.0.1:" + port,
              "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:%d;ist.recv_addr=127.0.0.1:%d;gcache.size=16M"
                  .formatted(port, port + 1),
              "--wsrep-sst-method=mysqldump",
              "--wsrep-sst-auth=" + MariaDbServer.USER + ":" + MariaDbServer.PASSWORD,
              "--wsrep-sst-receive-address=127.0.0.1:{port}",
              "--innodb-autoinc-lock-mode=2",
              "--gtid-strict-mode=OFF"));
    }
    String state =
        "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
            + " WHERE VARIABLE_NAME = 'WSREP_LOCAL_STATE_COMMENT'";
    for (MariaDbServer node : nodes) {
      Eventually.holds(node.name() + " joins", () -> node.queryOne(state).equals("Synced"));
    }
    nodes
        .getFirst()
        .execute(
            "CREATE DATABASE rw",
            "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
            "GRANT ALL ON rw.* TO proxy@'%'",
            "CREATE TABLE rw.t (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
            "CREATE TABLE rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE)"
                + " ENGINE=InnoDB AUTO_INCREMENT=1000000000000");
    proxy = RunningProxy.start(List.of(), database("rw", 60_000), database("hasty", 300));
  }

  /** All begin with the same data, so that whoever joins needs what was written since alone. */
  private static String savedState(boolean founds) {
    return """
        # GALERA saved state
        version: 2.1
        uuid:    6ad2b1c2-3c5e-11f0-9d0c-1f2e3d4c5b6a
        seqno:   0
        safe_to_bootstrap: %d
        """
        .formatted(founds ? 1 : 0);
  }

  private static String database(String name, int holdMilliseconds) {
    var database = new StringBuilder("databaseName: " + name + "\ndataSources:\n");
    for (int i = 0; i < 3; i++) {
      database.append(
          "  m%d: { url: \"%s\", username: proxy, password: proxy, connectionTimeoutMilliseconds: 15000 }\n"
              .formatted(i, nodes.get(i).url("rw")));
    }
    return database
        + """
        rules:
        - !READWRITE_SPLITTING
          dataSourceGroups:
            g:
              writeDataSourceName: m1
              readDataSourceNames: [m0, m2]
              healthCheck: { intervalMilliseconds: 2000, timeoutMilliseconds: 2000, rise: 1 }
              discovery: { type: GALERA, holdWritesMilliseconds: %d }
        """
            .formatted(holdMilliseconds);
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    nodes.forEach(MariaDbServer::close);
  }

  private static Connection connect() throws SQLException {
    return proxy.connect("rw");
  }

  private static int port(int node) {
    return nodes.get(node).port();
  }

  private static int writer() {
    try (Connection client = connect()) {
      return ReplicaFixture.writer(client);
    } catch (SQLException notNow) {
      return -1;
    }
  }

  private static Set<Integer> readers() {
    try (Connection client = connect()) {
      var readers = new HashSet<Integer>();
      for (int i = 0; i < 6; i++) {
        readers.add(ReplicaFixture.reader(client));
      }
      return readers;
    } catch (SQLException notNow) {
      return Set.of();
    }
  }

  /** Which node writes now. */
  private static int writingNode() {
    int writer = writer();
    return nodes.stream().map(MariaDbServer::port).toList().indexOf(writer);
  }

  /** Waits until one of these nodes writes and all the others of them read. */
  private static void awaitServing(Integer... serving) {
    Eventually.holds(
        Duration.ofMinutes(2),
        "served by " + List.of(serving),
        () -> {
          var expected = new HashSet<Integer>();
          for (int node : serving) {
            expected.add(port(node));
          }
          return expected.remove(writer()) && readers().equals(expected);
        });
  }

  private static void alter(Connection admin, String verb, int node) throws SQLException {
    ReplicaFixture.execute(admin, "ALTER READWRITE_SPLITTING RULE g " + verb + " m" + node);
  }

  @Test
  @Order(1)
  void oneNodeWritesAndTheOthersRead() throws SQLException {
    awaitServing(0, 1, 2);
    assertThat(writer()).as("the configured one").isEqualTo(port(1));
    try (Connection client = connect()) {
      ReplicaFixture.execute(client, "INSERT INTO t VALUES (1, 1)");
    }
    for (MariaDbServer node : nodes) {
      Eventually.holds(
          node.name() + " has the row",
          () -> node.queryOne("SELECT COUNT(*) FROM rw.t").equals("1"));
    }
  }

  @Test
  @Order(2)
  void writesMoveAwayFromANodeThatIsTakenOutAndStayWhereTheyAre() throws Exception {
    awaitServing(0, 1, 2);
    var writes = AcknowledgedWrites.start(3, 0, () -> connect());
    try (Connection admin = connect();
        Connection open = connect()) {
      int first = writingNode();
      open.setAutoCommit(false);
      ReplicaFixture.execute(open, "INSERT INTO t VALUES (2, 2)");
      alter(admin, "DISABLE", first);
      int second = writingNode();
      assertThat(second).isNotEqualTo(first);
      assertThat(readers()).containsExactly(port(3 - first - second));
      ReplicaFixture.execute(open, "INSERT INTO t VALUES (3, 3)");
      open.commit();
      alter(admin, "ENABLE", first);
      assertThat(writingNode()).as("it stays").isEqualTo(second);
    }
    writes.endAfterMore();
    assertThat(writes.errors()).isEmpty();
    assertThat(writes.missing(nodes.get(1)::queryOne)).isEmpty();
    awaitServing(0, 1, 2);
  }

  @Test
  @Order(3)
  void aNodeLeavesAndJoins() throws Exception {
    var writes = AcknowledgedWrites.start(3, 1_000_000, () -> connect());
    // The founder is not started again.
    int leaving = writingNode() == 2 ? 1 : 2;
    nodes.get(leaving).stop();
    awaitServing(0, 3 - leaving);
    writes.endAfterMore();
    assertThat(writes.errors()).as("no write went there").isEmpty();
    nodes.get(leaving).startAgain();
    awaitPrepared(leaving);
    awaitServing(0, 1, 2);
    assertThat(writes.missing(nodes.get(leaving)::queryOne)).isEmpty();
  }

  /** A node that has started answers nothing until it has what the others have. */
  private void awaitPrepared(int node) {
    Eventually.holds(
        "node " + node + " answers",
        () -> {
          try {
            return nodes.get(node).queryOne("SELECT COUNT(*) FROM rw.log") != null;
          } catch (IllegalStateException notYet) {
            return false;
          }
        });
  }

  @Test
  @Order(4)
  void theWriterLeaves() throws Exception {
    try (Connection admin = connect()) {
      // Writes leave the founder, which is not started again.
      alter(admin, "DISABLE", 0);
      alter(admin, "ENABLE", 0);
    }
    var writes = AcknowledgedWrites.start(3, 2_000_000, () -> connect());
    int leaving = writingNode();
    assertThat(leaving).isPositive();
    nodes.get(leaving).stop();
    awaitServing(0, 3 - leaving);
    writes.endAfterMore();
    assertThat(writes.errors())
        .as("only those under way can have failed, and whoever connected just then")
        .hasSizeLessThanOrEqualTo(6);
    assertThat(writes.missing(nodes.get(0)::queryOne)).isEmpty();
    nodes.get(leaving).startAgain();
    awaitPrepared(leaving);
    awaitServing(0, 1, 2);
    assertThat(writingNode()).as("it comes back as a reader").isNotEqualTo(leaving);
    assertThat(writes.missing(nodes.get(leaving)::queryOne)).isEmpty();
  }

  /** Alone of three it is not the cluster any more, and what it says may be old. */
  @Test
  @Order(5)
  void aNodeOutsideThePrimaryComponentTakesNothing() throws Exception {
    try (Connection client = proxy.connect("hasty")) {
      nodes.get(1).pause();
      nodes.get(2).pause();
      Eventually.holds("node 0 is alone", () -> isPutOut(client, "m0"));
      for (String refused : List.of("INSERT INTO t VALUES (9, 9)", "SELECT * FROM t")) {
        assertThatThrownBy(() -> ReplicaFixture.execute(client, refused))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("AB3010")
            .hasMessageContaining("non-Primary");
      }
    }
    nodes.get(1).goOn();
    nodes.get(2).goOn();
    Eventually.holds("the cluster is whole", () -> writer() > 0 && readers().size() == 2);
    try (Connection client = connect()) {
      Eventually.holds("a node that has just come back takes a row", () -> takesRow(client));
      assertThat(ReplicaFixture.serverOf(client, "SELECT COUNT(*) FROM t WHERE id = 9 FOR UPDATE"))
          .as("what was refused has not run")
          .isZero();
    }
  }

  /** The cluster may lose a node again that has slept, and refuse what had begun. */
  private static boolean takesRow(Connection client) {
    try {
      ReplicaFixture.execute(client, "REPLACE INTO t VALUES (10, 10)");
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private static boolean isPutOut(Connection client, String member) {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SHOW STATUS FROM READWRITE_SPLITTING RULES")) {
      boolean is = false;
      while (rows.next()) {
        is |=
            rows.getString("member").equals(member)
                && rows.getString("state").equals("DOWN")
                && rows.getString("reason").contains("non-Primary");
      }
      return is;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
