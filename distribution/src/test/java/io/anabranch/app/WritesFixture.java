package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A shop that is written to, plain on one server and behind the proxy over two: {@code t_order} and
 * {@code t_item} sharded alike by {@code user_id} and {@code order_id}, {@code t_log} by {@code
 * id}, {@code t_key} and {@code t_word} with generated keys, {@code t_dict} everywhere, {@code
 * t_conf} and {@code t_far} single tables of different data sources.
 */
final class WritesFixture implements AutoCloseable {

  private static final String[] TABLES = {
    """
    CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, status VARCHAR(20) NOT NULL DEFAULT 'new',
      total DECIMAL(10,2), weight FLOAT, placed DATETIME(3), note TEXT, PRIMARY KEY (order_id, user_id))
    """,
    """
    CREATE TABLE t_item (item_id INT NOT NULL, order_id BIGINT NOT NULL, user_id INT NOT NULL, sku VARCHAR(20),
      quantity INT, PRIMARY KEY (item_id, order_id, user_id))
    """,
    """
    CREATE TABLE t_log (id INT NOT NULL PRIMARY KEY, level ENUM('info','warn','error') NOT NULL DEFAULT 'info',
      line VARCHAR(100) CHARACTER SET latin1, data BLOB, flags BIT(6), day DATE, doc LONGTEXT, ratio DOUBLE, taken TIME(2))
    """,
    "CREATE TABLE t_dict (code INT NOT NULL PRIMARY KEY, name VARCHAR(40), touched DATETIME)",
    "CREATE TABLE t_conf (k INT NOT NULL AUTO_INCREMENT PRIMARY KEY, v VARCHAR(40))",
    "CREATE TABLE t_far (k INT NOT NULL PRIMARY KEY, v VARCHAR(40))",
  };

  final RunningProxy proxy;
  final String schema;
  private final DatabaseServer plain;

  private WritesFixture(RunningProxy proxy, DatabaseServer plain, String schema) {
    this.proxy = proxy;
    this.plain = plain;
    this.schema = schema;
  }

  static WritesFixture start(DatabaseServers servers, String schema) throws SQLException {
    DatabaseServer a = servers.primaryA();
    DatabaseServer b = servers.primaryB();
    for (String database : List.of(schema, schema + "_plain")) {
      a.execute("DROP DATABASE IF EXISTS " + database, "CREATE DATABASE " + database);
    }
    b.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t_far (k INT NOT NULL PRIMARY KEY, v VARCHAR(40))");
    String database =
        "databaseName: "
            + schema
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", a, schema)
            + RunningProxy.source("ds_1", b, schema)
            + """
              rules:
              - !SHARDING
                tables:
                  t_order: &placed
                    actualDataNodes: ds_${0..1}.t_order_${0..2}
                    databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
                    tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
                  t_item:
                    <<: *placed
                    actualDataNodes: ds_${0..1}.t_item_${0..2}
                  t_item_old:
                    <<: *placed
                    actualDataNodes: ds_${0..1}.t_item_old_${0..2}
                autoTables:
                  t_log:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
                  t_key:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
                    keyGenerateStrategy: { column: id, keyGeneratorName: numbers }
                  t_auto:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
                  t_word:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
                    keyGenerateStrategy: { column: id, keyGeneratorName: words }
                bindingTables:
                  - t_order, t_item
                shardingAlgorithms:
                  by_user: { type: MOD, props: { sharding-count: 2 } }
                  by_order: { type: MOD, props: { sharding-count: 3 } }
                  quarters: { type: HASH_MOD, props: { sharding-count: 4 } }
                keyGenerators:
                  numbers: { type: SNOWFLAKE, props: { max-vibration-offset: 3 } }
                  words: { type: UUID }
              - !BROADCAST
                tables: [t_dict]
              - !SINGLE
                tables: ["*.*", ds_1.t_far]
                defaultDataSource: ds_0
              """;
    var fixture = new WritesFixture(RunningProxy.start(List.of(), database), a, schema);
    try (Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String table : TABLES) {
        assertThat(Transcript.of(direct, table).isError()).as(table).isFalse();
        if (!table.contains("t_far")) {
          assertThat(Transcript.of(proxied, table).head()).as(table).doesNotStartWith("error");
        }
      }
      for (String table :
          List.of(
              "CREATE TABLE t_key (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20))",
              "CREATE TABLE t_word (id VARCHAR(40) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, name VARCHAR(20))")) {
        assertThat(Transcript.of(proxied, table).head()).as(table).doesNotStartWith("error");
      }
    }
    return fixture;
  }

  Connection throughProxy(String... options) throws SQLException {
    return proxy.connect(schema, options);
  }

  Connection onPlain(String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        plain.port(), schema + "_plain", MariaDbServer.USER, MariaDbServer.PASSWORD, options);
  }

  /** Statements that must answer the same on both. */
  void same(String... statements) throws SQLException {
    try (Connection proxied = throughProxy();
        Connection direct = onPlain()) {
      new Comparison(proxied, direct, answer -> answer.replace(schema + "_plain", schema))
          .same(statements);
    }
  }

  /** Statements that fill the tables of both. */
  List<String> rows() {
    var statements = new ArrayList<String>();
    var orders = new StringBuilder("INSERT INTO t_order VALUES ");
    var items = new StringBuilder("INSERT INTO t_item VALUES ");
    var log = new StringBuilder("INSERT INTO t_log VALUES ");
    for (int i = 1; i <= 24; i++) {
      String comma = i == 1 ? "" : ", ";
      orders.append(
          "%s(%d, %d, '%s', %s, %d.1, '2024-01-%02d 10:00:00.%03d', 'note %d')"
              .formatted(
                  comma,
                  i,
                  i % 5,
                  i % 3 == 0 ? "paid" : "open",
                  i % 7 == 0 ? "NULL" : i + ".25",
                  i,
                  i,
                  i,
                  i));
      items.append("%s(%d, %d, %d, 'sku%d', %d)".formatted(comma, i, i, i % 5, i % 3, i % 4));
      log.append(
          "%s(%d, '%s', 'ligne n\u00b0%d', x'%02x00ff27', %d, '2024-02-%02d', '{\"n\": \"\u00e9%d\"}', %d.1e-3, '%02d:00:00.5')"
              .formatted(comma, i, i % 2 == 0 ? "info" : "error", i, i, i, i, i, i, i));
    }
    statements.add(orders.toString());
    statements.add(items.toString());
    statements.add(log.toString());
    statements.add("INSERT INTO t_dict (code, name) VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    statements.add("INSERT INTO t_conf (k, v) VALUES (1, 'a'), (2, 'b')");
    statements.add("INSERT INTO t_far (k, v) VALUES (1, 'x'), (2, 'y')");
    return statements;
  }

  /** Statements that show all rows, and empty the tables again. */
  static final List<String> CONTENTS =
      List.of(
          "SELECT * FROM t_order ORDER BY order_id, user_id",
          "SELECT * FROM t_item ORDER BY item_id, order_id, user_id",
          "SELECT * FROM t_log ORDER BY id",
          "SELECT * FROM t_dict ORDER BY code",
          "SELECT * FROM t_conf ORDER BY k",
          "SELECT * FROM t_far ORDER BY k");

  static final List<String> EMPTYING =
      List.of(
          "DELETE FROM t_order",
          "DELETE FROM t_item",
          "DELETE FROM t_log",
          "DELETE FROM t_dict",
          "DELETE FROM t_far",
          "TRUNCATE t_conf");

  @Override
  public void close() {
    proxy.close();
  }
}
