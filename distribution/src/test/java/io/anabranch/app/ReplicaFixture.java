package io.anabranch.app;

import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A primary and two replicas of its own, which tests may stop, kill and promote, behind a proxy
 * with an account that is not above read_only.
 */
final class ReplicaFixture implements AutoCloseable {

  static final String SCHEMA = "rw";

  final MariaDbServer a;
  final MariaDbServer b;
  final MariaDbServer c;
  final RunningProxy proxy;

  private ReplicaFixture(MariaDbServer a, MariaDbServer b, MariaDbServer c, RunningProxy proxy) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.proxy = proxy;
  }

  /**
   * @param name unique among the running ones
   * @param keys lines of the group {@code g} besides its members
   */
  static ReplicaFixture start(String name, String... keys) {
    String[] options = {
      "--rpl-semi-sync-slave-enabled=ON",
      "--rpl-semi-sync-master-timeout=5000",
      "--gtid-strict-mode=OFF"
    };
    MariaDbServer a = MariaDbServer.start(name + "-a", options);
    a.execute(
        "CREATE DATABASE " + SCHEMA,
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON rw.* TO proxy@'%'",
        "GRANT REPLICA MONITOR, PROCESS ON *.* TO proxy@'%'",
        "CREATE TABLE rw.t (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
        "CREATE TABLE rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer INT, n INT,"
            + " UNIQUE (writer, n)) ENGINE=InnoDB");
    MariaDbServer b = replica(a, name + "-b", options);
    MariaDbServer c = replica(a, name + "-c", options);
    a.execute("SET GLOBAL rpl_semi_sync_master_enabled = ON");
    var group = new StringBuilder();
    for (String key : keys) {
      group.append("      ").append(key).append('\n');
    }
    String database =
        "databaseName: rw\ndataSources:\n"
            + source("a", a)
            + source("b", b)
            + source("c", c)
            + "rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups:\n    g:\n"
            + "      writeDataSourceName: a\n      readDataSourceNames: [b, c]\n"
            + group;
    return new ReplicaFixture(a, b, c, RunningProxy.start(List.of(), database));
  }

  private static MariaDbServer replica(MariaDbServer of, String name, String... options) {
    MariaDbServer replica = MariaDbServer.start(name, options);
    replica.follow(of);
    of.awaitReplica(replica);
    return replica;
  }

  private static String source(String name, MariaDbServer server) {
    return "  %s: { url: \"%s\", username: proxy, password: proxy, maxPoolSize: 20, minPoolSize: 1, connectionTimeoutMilliseconds: 15000 }\n"
        .formatted(name, server.url(SCHEMA));
  }

  Connection connect(String... options) throws SQLException {
    return proxy.connect(SCHEMA, options);
  }

  /** Which server answers, by its id, which is its port. */
  static int serverOf(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  static int reader(Connection connection) throws SQLException {
    return serverOf(connection, "SELECT @@server_id");
  }

  static int writer(Connection connection) throws SQLException {
    return serverOf(connection, "SELECT @@server_id FOR UPDATE");
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Asks until it is so; fails after half a minute. */
  static void await(String what, BooleanSupplier so) {
    Eventually.holds(Duration.ofSeconds(30), what, so);
  }

  /** Makes a replica apply everything a second late. */
  static void delay(MariaDbServer replica) {
    replica.execute("STOP SLAVE", "CHANGE MASTER TO MASTER_DELAY = 1", "START SLAVE");
  }

  /** A plain connection to one server. */
  static Connection direct(MariaDbServer server) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + server.port() + "/" + SCHEMA, "proxy", "proxy");
  }

  @Override
  public void close() {
    proxy.close();
    c.close();
    b.close();
    a.close();
  }
}
