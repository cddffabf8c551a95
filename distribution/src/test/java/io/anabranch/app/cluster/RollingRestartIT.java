package io.anabranch.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.anabranch.app.AssembledProxy;
import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two proxies behind HAProxy are restarted one after the other while applications' pools work:
 * nobody gets an error.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class RollingRestartIT {

  private static final String SCHEMA = "it_rolling";

  /** HikariCP's own; without it a connection that was used 500 ms ago is not asked. */
  private static final String UNASKED = "com.zaxxer.hikari.aliveBypassWindowMs";

  @TempDir Path temporary;

  private final List<AssembledProxy> proxies = new ArrayList<>();
  private final List<Integer> ports = List.of(FreePorts.one(), FreePorts.one());
  private final List<Integer> adminPorts = List.of(FreePorts.one(), FreePorts.one());
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger committed = new AtomicInteger();
  private final Queue<SQLException> errors = new ConcurrentLinkedQueue<>();

  @Test
  void costsNoStatement(MariaDbServers servers) throws Exception {
    MariaDbServer database = servers.primaryA();
    database.execute(
        "DROP DATABASE IF EXISTS it_rolling",
        "CREATE DATABASE it_rolling",
        "CREATE TABLE it_rolling.t (id INT PRIMARY KEY, v INT)");
    for (int i = 0; i < ports.size(); i++) {
      proxies.add(start(i, database));
    }
    var pools = new ArrayList<HikariDataSource>();
    try (HaProxy balancer = HaProxy.start(temporary, ports, adminPorts)) {
      balancer.awaitUp(0, 1);
      var workers = new ArrayList<Thread>();
      for (String scheme : List.of("jdbc:mariadb:", "jdbc:mysql:")) {
        for (boolean isPatient : List.of(true, false)) {
          HikariDataSource pool = pool(scheme, balancer.port(), isPatient);
          pools.add(pool);
          // one alone: connections that several use are never at rest
          for (int i = 0; i < (isPatient ? 1 : 4); i++) {
            workers.add(Thread.ofVirtual().start(() -> work(pool, isPatient)));
          }
        }
      }
      for (int i = 0; i < ports.size(); i++) {
        int before = committed.get();
        Eventually.holds("the pools work", () -> committed.get() > before + 100);
        proxies.get(i).close();
        int without = committed.get();
        Eventually.holds("they work without it", () -> committed.get() > without + 100);
        proxies.set(i, start(i, database));
        balancer.awaitUp(i);
      }
      int after = committed.get();
      Eventually.holds("they work afterwards", () -> committed.get() > after + 100);
      isOver.set(true);
      for (Thread worker : workers) {
        worker.join();
      }
      assertThat(errors).isEmpty();
      assertThat(database.queryOne("SELECT COUNT(*) FROM it_rolling.t"))
          .isEqualTo(Integer.toString(committed.get()));
    } finally {
      isOver.set(true);
      pools.forEach(HikariDataSource::close);
      proxies.forEach(AssembledProxy::close);
    }
  }

  @Test
  void clientsKeepTheirAddressesBehindHaProxy(MariaDbServers servers) throws Exception {
    MariaDbServer database = servers.primaryA();
    database.execute("CREATE DATABASE IF NOT EXISTS it_rolling");
    proxies.add(start(0, database));
    try (HaProxy balancer = HaProxy.start(temporary, ports, adminPorts, "send-proxy-v2")) {
      balancer.awaitUp(0);
      try (Connection client =
          RunningProxy.Driver.MYSQL.connect(
              balancer.port(),
              SCHEMA,
              RunningProxy.USER,
              RunningProxy.PASSWORD,
              "localSocketAddress=127.0.0.9")) {
        assertThat(Transcript.of(client, "SHOW PROCESSLIST").rows())
            .singleElement()
            .asString()
            .contains("127.0.0.9:");
      }
    } finally {
      proxies.forEach(AssembledProxy::close);
    }
  }

  @Test
  void driversTryTheNextHost(MariaDbServers servers) throws Exception {
    MariaDbServer database = servers.primaryA();
    database.execute("CREATE DATABASE IF NOT EXISTS it_rolling");
    proxies.add(start(1, database));
    String hosts =
        "//127.0.0.1:" + ports.getFirst() + ",127.0.0.1:" + ports.getLast() + "/" + SCHEMA;
    String options = "?allowPublicKeyRetrieval=true&connectTimeout=2000&sslMode=";
    try {
      for (String url :
          List.of(
              "jdbc:mysql:" + hosts + options + "DISABLED",
              "jdbc:mysql:loadbalance:" + hosts + options + "DISABLED",
              "jdbc:mariadb:sequential:" + hosts + options + "disable",
              "jdbc:mariadb:loadbalance:" + hosts + options + "disable")) {
        try (Connection client =
            DriverManager.getConnection(url, RunningProxy.USER, RunningProxy.PASSWORD)) {
          assertThat(Transcript.of(client, "SELECT 1 AS one").rows()).as(url).hasSize(1);
        }
      }
    } finally {
      proxies.forEach(AssembledProxy::close);
    }
  }

  private AssembledProxy start(int index, MariaDbServer database) {
    ConfigurationLoader loader = InstalledAlgorithms.loader();
    String global =
        """
        authority:
          users: [ { user: "%s@%%", password: %s } ]
        props:
          proxy-frontend-executor-size: 1
          proxy-admin-port: %d
          proxy-lame-duck-milliseconds: 1000
          proxy-frontend-proxy-protocol-networks: 127.0.0.1
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, adminPorts.get(index));
    var texts =
        List.of(
            new ConfigurationText("global.yaml", global),
            new ConfigurationText("database-0.yaml", RunningProxy.passThrough(SCHEMA, database)));
    return AssembledProxy.start(loader, loader.load(texts), ports.get(index), temporary);
  }

  /**
   * @param isPatient whether its connections rest between uses; otherwise it asks each before use
   */
  private static HikariDataSource pool(String scheme, int port, boolean isPatient) {
    var config = new HikariConfig();
    config.setJdbcUrl(
        scheme
            + "//127.0.0.1:"
            + port
            + "/"
            + SCHEMA
            + "?allowPublicKeyRetrieval=true&sslMode="
            + (scheme.contains("mysql") ? "DISABLED" : "disable"));
    config.setUsername(RunningProxy.USER);
    config.setPassword(RunningProxy.PASSWORD);
    config.setMaximumPoolSize(6);
    try {
      System.setProperty(UNASKED, isPatient ? "500" : "-1");
      return new HikariDataSource(config);
    } finally {
      System.clearProperty(UNASKED);
    }
  }

  private void work(HikariDataSource pool, boolean isPatient) {
    while (!isOver.get()) {
      try (Connection connection = pool.getConnection()) {
        int number = numbers.incrementAndGet();
        connection.setAutoCommit(false);
        change(connection, "INSERT INTO t VALUES (?, 0)", number);
        change(connection, "UPDATE t SET v = v + 1 WHERE id = ?", number);
        connection.commit();
        committed.incrementAndGet();
        connection.setAutoCommit(true);
        read(connection, number);
      } catch (SQLException e) {
        errors.add(e);
      }
      long pause = isPatient ? ThreadLocalRandom.current().nextInt(1500) : 1;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
    }
  }

  private static void change(Connection connection, String sql, int number) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, number);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  private static void read(Connection connection, int number) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT v FROM t WHERE id = ?")) {
      statement.setInt(1, number);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
    }
  }
}
