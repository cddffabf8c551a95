package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What MySQL knows and MariaDB does not, over two data sources as on one plain database: skipped
 * where no MySQL server is (see {@link MySqlServer}).
 */
class MySqlStatementsIT {

  private static MySqlServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    server = MySqlServer.start("statements");
    server.execute(
        "CREATE DATABASE shop",
        "CREATE DATABASE shop_0",
        "CREATE DATABASE shop_1",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON *.* TO proxy@'%'");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: shop\ndataSources:\n"
                + server.dataSource("ds_0", "shop_0")
                + server.dataSource("ds_1", "shop_1")
                + """
                  rules:
                  - !SHARDING
                    tables:
                      t_account:
                        databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
                    autoTables:
                      t_order:
                        actualDataSources: ds_0,ds_1
                        shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: quarters } }
                    shardingAlgorithms:
                      halves: { type: MOD, props: { sharding-count: 2 } }
                      quarters: { type: MOD, props: { sharding-count: 4 } }
                  - !BROADCAST
                    tables: [t_country]
                  """);
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, "shop"));
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static void same(String... statements) throws SQLException {
    try (Connection proxied = proxy.connect("shop");
        Connection plain =
            RunningProxy.Driver.MARIADB.connect(server.port(), "shop", "proxy", "proxy")) {
      new Comparison(proxied, plain).same(statements);
    }
  }

  /** MariaDB's: whether a statement of its own could follow does not matter. */
  @Test
  void setStatementIsNoStatement() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "SET STATEMENT max_execution_time = 50 FOR SELECT COUNT(*) FROM t_account",
        "SET STATEMENT sql_mode = '' FOR DELETE FROM t_account",
        "SET SESSION max_execution_time = 1000",
        "SELECT /*+ MAX_EXECUTION_TIME(500) */ COUNT(*) FROM t_account");
  }

  /** They are good for the statement's first SELECT: not for what shards are asked. */
  @Test
  void variablesOfHintsThatDecideAnswers() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO t_account VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
        "SELECT /*+ SET_VAR(sort_buffer_size=40000) */ id FROM t_account ORDER BY id",
        "SELECT /*+ SET_VAR(sql_select_limit=0) */ id FROM t_account WHERE id = 2");
    try (Connection proxied = proxy.connect("shop")) {
      for (String variable : List.of("sql_select_limit=2", "timestamp=3", "sql_mode='ANSI'")) {
        String sql = "SELECT /*+ SET_VAR(" + variable + ") */ id, NOW() FROM t_account ORDER BY id";
        assertThat(Transcript.of(proxied, sql).head())
            .contains("AB2001")
            .contains("SET_VAR(" + variable.substring(0, variable.indexOf('=')) + ")");
      }
    }
  }

  /** MariaDB takes numbers alone. */
  @Test
  void framesOfWindowsThatParametersGive() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO t_account VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
        "SET @one = 1, @two = 2",
        "PREPARE p FROM 'SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN ? PRECEDING AND ?"
            + " FOLLOWING) AS near, SUM(id) OVER (ORDER BY id RANGE ? PRECEDING) AS last"
            + " FROM t_account ORDER BY id'",
        "EXECUTE p USING @one, @two, @two",
        "DEALLOCATE PREPARE p");
  }

  @Test
  void commonTablesInFrontOfChanges() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account, t_order, t_country",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "CREATE TABLE t_order (id INT PRIMARY KEY, parent INT, price INT)",
        "CREATE TABLE t_country (code CHAR(2) PRIMARY KEY, pop INT)",
        "INSERT INTO t_account VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
        "INSERT INTO t_order VALUES (1, NULL, 10), (2, 1, 20), (3, 1, 30), (4, 2, 40), (5, 3, 50)",
        "INSERT INTO t_country VALUES ('de', 1), ('fr', 2), ('it', 3)",
        "WITH x AS (SELECT 1 id) UPDATE t_account SET v = 'w' WHERE id IN (SELECT id FROM x)",
        "WITH x AS (SELECT 2 id) DELETE FROM t_account WHERE id > (SELECT id FROM x)",
        "SELECT * FROM t_account ORDER BY id",
        "WITH x AS (SELECT parent, COUNT(*) n FROM t_order GROUP BY parent)"
            + " UPDATE t_order o JOIN x ON x.parent = o.id SET o.price = x.n",
        "WITH RECURSIVE below AS (SELECT id FROM t_order WHERE id = 2 UNION ALL"
            + " SELECT o.id FROM t_order o JOIN below b ON o.parent = b.id)"
            + " DELETE FROM t_order WHERE id IN (SELECT id FROM below)",
        "WITH x AS (SELECT nope FROM t_order) DELETE FROM t_order WHERE id IN (SELECT nope FROM x)",
        "WITH x AS (SELECT 1 id) UPDATE x SET id = 2",
        "SELECT * FROM t_order ORDER BY id",
        "WITH x AS (SELECT 'de' c) UPDATE t_country SET pop = 9 WHERE code IN (SELECT c FROM x)",
        "WITH x AS (SELECT 'fr' c), y AS (SELECT c FROM x)"
            + " DELETE FROM t_country WHERE code IN (SELECT c FROM y) OR code = (SELECT 'it' FROM x)",
        "SELECT * FROM t_country");
    same("SELECT t.code, t.pop, a.id FROM t_account a, t_country t ORDER BY 3");
    same(
        "SELECT c.code, c.pop, COUNT(*) FROM t_country c JOIN t_order o ON o.price > c.pop"
            + " JOIN t_account a ON a.v = c.code GROUP BY c.code ORDER BY 1",
        "SELECT c.code, c.pop, SUM(o.price) FROM t_country c JOIN t_order o ON o.price > c.pop"
            + " JOIN t_account a ON a.id = o.parent GROUP BY c.code ORDER BY 1");
  }

  /** A plan for each of the statements that a statement becomes, in every format. */
  @Test
  void plansOfEachNode() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO t_account VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
    for (String statement :
        List.of(
            "SELECT * FROM t_account",
            "SELECT v, COUNT(*) FROM t_account GROUP BY v",
            "TABLE t_account",
            "UPDATE t_account SET v = 'x'",
            "DELETE FROM t_account WHERE v = 'x'")) {
      assertThat(plans("FORMAT=TREE " + statement)).as(statement).hasSize(2);
      assertThat(plans("FORMAT=JSON " + statement))
          .as(statement)
          .hasSize(2)
          .allMatch(plan -> plan.startsWith("{"));
      assertThat(plans("FORMAT=TRADITIONAL " + statement)).as(statement).hasSizeGreaterThan(1);
    }
    assertThat(plans("ANALYZE SELECT * FROM t_account")).hasSize(2);
    assertThat(plans("FORMAT=JSON SELECT * FROM t_account WHERE id = 1")).hasSize(1);
    for (String refused :
        List.of(
            "FORMAT=JSON INTO @plan SELECT * FROM t_account",
            "FORMAT=TREE FOR SCHEMA shop SELECT * FROM t_account",
            "FOR CONNECTION 1",
            "FORMAT=JSON FOR CONNECTION 1")) {
      assertThatThrownBy(() -> plans(refused)).as(refused).hasMessageContaining("AB2002");
    }
  }

  /** Not what the database was given. */
  @Test
  void errorsOfSyntaxQuoteTheClientsText() throws SQLException {
    same(
        "DROP TABLE IF EXISTS t_account",
        "CREATE TABLE t_account (id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO t_account VALUES (1, 'a'), (2, 'b')",
        "SELECT COUNT(*, 1) FROM t_account",
        "SELECT SUM(id) FILTER (WHERE id > 1) FROM t_account",
        "SELECT GROUP_CONCAT(v ORDER BY v LIMIT 2) FROM t_account",
        "SELECT COUNT (*) FROM t_account");
  }

  private static List<String> plans(String explained) throws SQLException {
    try (Connection connection = proxy.connect("shop");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN " + explained)) {
      var plans = new ArrayList<String>();
      while (rows.next()) {
        plans.add(rows.getString(1));
      }
      return plans;
    }
  }

  /** By name alone: the server also says of which of its tables they are. */
  @Test
  void columnsOfTheCatalogueHaveTheirOwnNames() throws SQLException {
    for (String sql :
        List.of(
            "SELECT table_schema FROM information_schema.tables"
                + " WHERE table_schema = 'information_schema' AND table_name = 'COLUMNS'",
            "SELECT schema_name AS s FROM information_schema.schemata"
                + " WHERE schema_name = 'information_schema'")) {
      try (Connection proxied = proxy.connect("shop");
          Connection plain =
              RunningProxy.Driver.MARIADB.connect(server.port(), "shop", "proxy", "proxy")) {
        assertThat(answer(proxied, sql)).as(sql).isEqualTo(answer(plain, sql));
      }
    }
  }

  private static List<String> answer(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      ResultSetMetaData columns = rows.getMetaData();
      return List.of(columns.getColumnLabel(1), columns.getColumnName(1), rows.getString(1));
    }
  }
}
