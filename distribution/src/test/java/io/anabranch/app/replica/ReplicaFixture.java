package io.anabranch.app.replica;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A primary and two replicas of its own, which tests may stop, kill and promote, behind a proxy
 * with an account that is not above read_only.
 */
final class ReplicaFixture implements AutoCloseable {

  private static final int QUIET_LOOKS = 3;

  static final String SCHEMA = "rw";

  private static final String GROUPS = "rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups:\n";

  private static final String SHARDING =
      """
      - !SHARDING
        tables:
          s:
            actualDataNodes: g${0..1}.s
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
        shardingAlgorithms:
          by_id: { type: MOD, props: { sharding-count: 2 } }
      """;

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
    return startDatabases(name, Map.of(SCHEMA, keys));
  }

  /**
   * The same with a logical database for each set of keys.
   *
   * @param databases keys by the database's name
   */
  static ReplicaFixture startDatabases(String name, Map<String, String[]> databases) {
    return start(
        name,
        (a, b, c) -> {
          var texts = new ArrayList<String>();
          databases.forEach((database, keys) -> texts.add(database(database, a, b, c, keys)));
          return texts.toArray(String[]::new);
        });
  }

  private static String database(
      String name, MariaDbServer a, MariaDbServer b, MariaDbServer c, String... keys) {
    return "databaseName: "
        + name
        + "\ndataSources:\n"
        + source("a", a, SCHEMA)
        + source("b", b, SCHEMA)
        + source("c", c, SCHEMA)
        + GROUPS
        + group("g", "", keys);
  }

  /**
   * The same with two shards, each a group of two schemas on the three servers: table {@code s (id,
   * v)} by {@code id}.
   */
  static ReplicaFixture startSharded(String name, String... keys) {
    return start(
        name,
        (a, b, c) -> {
          var sources = new StringBuilder();
          for (String shard : List.of("0", "1")) {
            sources.append(source("a" + shard, a, SCHEMA + shard));
            sources.append(source("b" + shard, b, SCHEMA + shard));
            sources.append(source("c" + shard, c, SCHEMA + shard));
          }
          return new String[] {
            "databaseName: rw\ndataSources:\n"
                + sources
                + GROUPS
                + group("g0", "0", keys)
                + group("g1", "1", keys)
                + SHARDING
          };
        });
  }

  /** Texts of the databases' files. */
  private interface Deployed {
    String[] over(MariaDbServer a, MariaDbServer b, MariaDbServer c);
  }

  /** Keys of {@code log} are long, so that no number in an INSERT looks like one. */
  private static ReplicaFixture start(String name, Deployed deployed) {
    String[] options = {
      "--rpl-semi-sync-slave-enabled=ON",
      "--rpl-semi-sync-master-timeout=5000",
      "--gtid-strict-mode=OFF"
    };
    MariaDbServer a = MariaDbServer.start(name + "-a", options);
    a.execute(
        "CREATE DATABASE " + SCHEMA,
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "CREATE DATABASE rw0",
        "CREATE DATABASE rw1",
        "GRANT ALL ON `rw%`.* TO proxy@'%'",
        "CREATE TABLE rw0.s (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
        "CREATE TABLE rw1.s (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
        "GRANT REPLICA MONITOR, PROCESS ON *.* TO proxy@'%'",
        "CREATE TABLE rw.t (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
        "CREATE TABLE rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer INT, n INT,"
            + " UNIQUE (writer, n)) ENGINE=InnoDB AUTO_INCREMENT=1000000000000");
    MariaDbServer b = replica(a, name + "-b", options);
    MariaDbServer c = replica(a, name + "-c", options);
    a.execute("SET GLOBAL rpl_semi_sync_master_enabled = ON");
    return new ReplicaFixture(a, b, c, RunningProxy.start(List.of(), deployed.over(a, b, c)));
  }

  private static String group(String name, String shard, String... keys) {
    var group = new StringBuilder("    " + name + ":\n");
    group.append("      writeDataSourceName: a").append(shard).append('\n');
    group.append("      readDataSourceNames: [b%1$s, c%1$s]%n".formatted(shard));
    for (String key : keys) {
      group.append("      ").append(key).append('\n');
    }
    return group.toString();
  }

  private static MariaDbServer replica(MariaDbServer of, String name, String... options) {
    MariaDbServer replica = MariaDbServer.start(name, options);
    replica.follow(of);
    of.awaitReplica(replica);
    return replica;
  }

  private static String source(String name, MariaDbServer server, String schema) {
    return "  %s: { url: \"%s\", username: proxy, password: proxy, maxPoolSize: 20, minPoolSize: 1, connectionTimeoutMilliseconds: 15000 }\n"
        .formatted(name, server.url(schema));
  }

  Connection connect(String... options) throws SQLException {
    return connectTo(SCHEMA, options);
  }

  Connection connectTo(String database, String... options) throws SQLException {
    return proxy.connect(database, options);
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

  /** Whether writes go to a primary, as administrators see it. */
  static boolean takesWrites(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW STATUS FROM READWRITE_SPLITTING RULES")) {
      boolean takes = false;
      while (rows.next()) {
        takes |= rows.getString("takes").equals("writes");
      }
      return takes;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until no transaction of the proxy is open, several looks long: one that was on its way
   * may have just begun.
   */
  void awaitIdle(MariaDbServer server) {
    String open =
        "SELECT COUNT(*) FROM information_schema.innodb_trx"
            + " JOIN information_schema.processlist ON id = trx_mysql_thread_id"
            + " WHERE user = 'proxy'";
    var quiet = new AtomicInteger();
    await(
        "all transactions have ended",
        () -> {
          int looks = server.queryOne(open).equals("0") ? quiet.incrementAndGet() : 0;
          quiet.set(looks);
          return looks == QUIET_LOOKS;
        });
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
