package io.anabranch.app.types;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A proxy over two schemas of one server, and a plain schema there. */
final class TypesArena implements AutoCloseable {

  private static final String NAME = "types";

  private static final String USER = "app";
  private static final String PASSWORD = "app-secret";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
          t4:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: four } }
          made:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
        shardingAlgorithms:
          two: { type: MOD, props: { sharding-count: 2 } }
          four: { type: MOD, props: { sharding-count: 4 } }
      """;

  private final RunningProxy proxy;
  private final RunningProxy.Driver driver;
  private final int port;
  private final Runnable end;

  private TypesArena(RunningProxy proxy, RunningProxy.Driver driver, int port, Runnable end) {
    this.proxy = proxy;
    this.driver = driver;
    this.port = port;
    this.end = end;
  }

  static TypesArena onMariaDb(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    for (String schema : List.of(NAME, NAME + "_0", NAME + "_1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    String sources =
        RunningProxy.source("ds_0", server, NAME + "_0")
            + RunningProxy.source("ds_1", server, NAME + "_1");
    return new TypesArena(start(sources), RunningProxy.Driver.MARIADB, server.port(), () -> {});
  }

  static TypesArena onMySql() {
    MySqlServer server = MySqlServer.start(NAME);
    server.execute(
        "CREATE DATABASE types",
        "CREATE DATABASE types_0",
        "CREATE DATABASE types_1",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON *.* TO proxy@'%'");
    String sources = server.dataSource("ds_0", "types_0") + server.dataSource("ds_1", "types_1");
    return new TypesArena(start(sources), RunningProxy.Driver.MYSQL, server.port(), server::close);
  }

  private static RunningProxy start(String sources) {
    return RunningProxy.start(
        List.of(), "databaseName: " + NAME + "\ndataSources:\n" + sources + RULES);
  }

  Connection proxied(boolean binary) throws SQLException {
    return ready(driver.connect(proxy.port(), NAME, USER, PASSWORD, options(binary)));
  }

  Connection plain(boolean binary) throws SQLException {
    return ready(
        driver.connect(port, NAME, MariaDbServer.USER, MariaDbServer.PASSWORD, options(binary)));
  }

  private static String[] options(boolean binary) {
    return new String[] {"useServerPrepStmts=" + binary, "allowPublicKeyRetrieval=true"};
  }

  private static Connection ready(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET sql_mode = 'NO_ENGINE_SUBSTITUTION', time_zone = '+02:00'");
    }
    return connection;
  }

  /** A table with a column of each type, with rows on all nodes. */
  static List<String> load(String table, List<TypedColumn> columns, int rows) {
    var statements = new ArrayList<String>();
    statements.add("DROP TABLE IF EXISTS " + table);
    var create = new StringBuilder("CREATE TABLE " + table + " (id INT PRIMARY KEY, g INT");
    for (TypedColumn column : columns) {
      create.append(", c_").append(column.name()).append(' ').append(column.type());
    }
    statements.add(create + ") CHARACTER SET utf8mb4");
    for (int id = 1; id <= rows; id++) {
      var row = new StringBuilder("INSERT INTO " + table + " VALUES (" + id + ", " + id % 3);
      for (int i = 0; i < columns.size(); i++) {
        List<String> values = columns.get(i).values();
        // neighbours of one node get different values, and each value is on several nodes
        int pick = (id + id / 4 + i) % (values.size() + 1);
        row.append(", ").append(pick == values.size() ? "NULL" : values.get(pick));
      }
      statements.add(row + ")");
    }
    return statements;
  }

  @Override
  public void close() {
    proxy.close();
    end.run();
  }
}
