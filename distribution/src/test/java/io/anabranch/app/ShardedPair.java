package io.anabranch.app;

import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One server with two schemas behind the proxy, on MariaDB or MySQL: {@code t} is sharded by {@code
 * user_id} over data sources and by {@code id} over tables, {@code made} by {@code user_id} with
 * generated {@code id}, {@code word} by a text, {@code dict} is a broadcast table, all others are
 * single tables.
 */
final class ShardedPair implements AutoCloseable {

  private static String rules(String databaseRule) {
    return """
      rules:
      - !SHARDING
      %s
        tables:
          t:
            actualDataNodes: ds_${0..1}.t_${0..1}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
            tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
          u:
            actualDataNodes: ds_${0..1}.u
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
          made:
            actualDataNodes: ds_${0..1}.made
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: halves } }
            keyGenerateStrategy: { column: id, keyGeneratorName: flake }
          word:
            actualDataNodes: ds_${0..1}.word
            databaseStrategy: { standard: { shardingColumn: w, shardingAlgorithmName: hashes } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          hashes: { type: HASH_MOD, props: { sharding-count: 2 } }
        keyGenerators:
          flake: { type: SNOWFLAKE }
      - !BROADCAST
        tables: [dict]
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """
        .formatted(databaseRule);
  }

  /** A server of either kind. */
  interface Server {

    void execute(String... statements);

    String source(String name, String schema);

    String answer(String sql);
  }

  final Server server;
  final RunningProxy proxy;
  private final String schema;

  private ShardedPair(Server server, RunningProxy proxy, String schema) {
    this.server = server;
    this.proxy = proxy;
    this.schema = schema;
  }

  static Server of(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    return new Server() {
      @Override
      public void execute(String... statements) {
        server.execute(statements);
      }

      @Override
      public String source(String name, String schema) {
        return RunningProxy.source(name, server, schema);
      }

      @Override
      public String answer(String sql) {
        return server.queryOne(sql);
      }
    };
  }

  static Server of(MySqlServer server) {
    server.execute(
        "CREATE USER IF NOT EXISTS proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON *.* TO proxy@'%'");
    return new Server() {
      @Override
      public void execute(String... statements) {
        server.execute(statements);
      }

      @Override
      public String source(String name, String schema) {
        return server.dataSource(name, schema);
      }

      @Override
      public String answer(String sql) {
        return server.queryOne(sql);
      }
    };
  }

  /**
   * @param settings lines of the sharding rule
   */
  static ShardedPair start(Server server, String schema, String... settings) {
    for (String each : List.of(schema + "_0", schema + "_1")) {
      server.execute("DROP DATABASE IF EXISTS " + each, "CREATE DATABASE " + each);
    }
    var lines = new StringBuilder();
    for (String setting : settings) {
      lines.append("  ").append(setting).append('\n');
    }
    RunningProxy proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: "
                + schema
                + "\ndataSources:\n"
                + server.source("ds_0", schema + "_0")
                + server.source("ds_1", schema + "_1")
                + rules(lines.toString().stripTrailing()));
    Eventually.holds("the proxy reaches the databases", () -> XaFixture.reaches(proxy, schema));
    return new ShardedPair(server, proxy, schema);
  }

  /** The schema of a data source, for statements past the proxy. */
  String actual(int source) {
    return schema + "_" + source;
  }

  /** The logical database. */
  String name() {
    return schema;
  }

  Connection connect(String... options) throws SQLException {
    return proxy.connect(schema, options);
  }

  void run(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The error of a statement; empty: it succeeded. */
  String refusal(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return "";
    } catch (SQLException refused) {
      return refused.getErrorCode() + " " + refused.getMessage();
    }
  }

  /** What a statement warns of. */
  List<String> warnings(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      var told = new ArrayList<String>();
      for (SQLWarning each = statement.getWarnings(); each != null; each = each.getNextWarning()) {
        told.add(each.getErrorCode() + " " + each.getMessage());
      }
      return told;
    }
  }

  /** Rows as values under their names, by name. */
  List<String> named(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      var told = new ArrayList<String>();
      while (rows.next()) {
        var row = new TreeMap<String, String>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.put(rows.getMetaData().getColumnLabel(i), rows.getString(i));
        }
        told.add(row.toString());
      }
      return told;
    }
  }

  /** Rows, cells apart by {@code |}. */
  List<String> rows(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      var told = new ArrayList<String>();
      while (rows.next()) {
        var row = new StringBuilder();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.append(i == 1 ? "" : "|").append(rows.getString(i));
        }
        told.add(row.toString());
      }
      return told;
    }
  }

  @Override
  public void close() {
    proxy.close();
  }
}
