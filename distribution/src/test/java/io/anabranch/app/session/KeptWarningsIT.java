package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What each kind of statement leaves of the warnings of the one before: on MariaDB those that name
 * no table leave all, on MySQL none does.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class KeptWarningsIT {

  private static final String SCHEMA = "it_kept";

  /** One leaves an error, one a warning. */
  private static final List<String> FORMER =
      List.of("SELECT * FROM nowhere", "SELECT CAST('x' AS SIGNED)");

  /** Both layouts answer these. */
  private static final List<String> ANYWHERE =
      List.of(
          "SELECT 1",
          "SELECT 1 FROM DUAL WHERE 1",
          "SELECT @a, DATABASE()",
          "SELECT 1 AS `from`, 'from t'",
          "SELECT EXTRACT(YEAR FROM '2020-01-01'), TRIM(LEADING 'a' FROM 'aba')",
          "SELECT 1 UNION SELECT 2",
          "(SELECT 1)",
          "SELECT (SELECT 1)",
          "SELECT (SELECT COUNT(*) FROM t_order)",
          "SELECT COUNT(*) FROM t_order",
          "SELECT * FROM t_order WHERE user_id = 1",
          "SELECT EXISTS (SELECT 1 FROM t_order)",
          "SELECT SLEEP(0)",
          "SELECT * FROM (SELECT 1) d",
          "WITH c AS (SELECT 1 a) SELECT * FROM c",
          "SELECT 1 INTO @y",
          "SELECT order_id INTO @y FROM t_order LIMIT 1",
          "SELECT * FROM information_schema.schemata LIMIT 1",
          "DO 1",
          "DO SLEEP(0), EXTRACT(YEAR FROM '2020-01-01')",
          "DO (SELECT COUNT(*) FROM t_order)",
          "SET @a = 1",
          "SET @a = (SELECT 1)",
          "SET @a = (SELECT COUNT(*) FROM t_order)",
          "SET sql_mode = ''",
          "SET NAMES utf8mb4",
          "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
          "SET autocommit = 1",
          "SHOW TABLES",
          "SHOW FULL TABLES",
          "SHOW TABLE STATUS",
          "SHOW DATABASES",
          "SHOW VARIABLES LIKE 'port'",
          "SHOW SESSION STATUS LIKE 'uptime'",
          "SHOW GLOBAL STATUS LIKE 'uptime'",
          "SHOW COLUMNS FROM t_order",
          "DESCRIBE t_order",
          "DESC t_order status",
          "SHOW INDEX FROM t_order",
          "SHOW CREATE TABLE t_order",
          "SHOW CREATE DATABASE " + SCHEMA,
          "SHOW PROCESSLIST",
          "SHOW FULL PROCESSLIST",
          "SHOW ENGINES",
          "SHOW PLUGINS",
          "SHOW CHARACTER SET LIKE 'latin1'",
          "SHOW COLLATION LIKE 'latin1_bin'",
          "SHOW PRIVILEGES",
          "SHOW GRANTS",
          "SHOW WARNINGS",
          "SHOW ERRORS",
          "SHOW COUNT(*) WARNINGS",
          "SHOW OPEN TABLES",
          "SHOW TRIGGERS",
          "SHOW EVENTS",
          "SHOW PROCEDURE STATUS WHERE 0",
          "EXPLAIN SELECT 1",
          "EXPLAIN FORMAT=JSON SELECT 1",
          "EXPLAIN SELECT * FROM t_order WHERE user_id = 1 AND order_id = 1",
          "BEGIN",
          "START TRANSACTION READ ONLY",
          "COMMIT",
          "ROLLBACK",
          "SAVEPOINT s",
          "USE " + SCHEMA,
          "LOCK TABLES t_order READ",
          "UNLOCK TABLES",
          "UPDATE t_order SET status = status",
          "DELETE FROM t_order WHERE order_id = 77",
          "REPLACE INTO t_order VALUES (9, 9, 'x')",
          "INSERT IGNORE INTO t_order VALUES (1, 1, 'y')",
          "PREPARE q FROM 'SELECT 1'",
          "PREPARE q FROM 'SELECT * FROM t_order'",
          "DEALLOCATE PREPARE q",
          "GET DIAGNOSTICS @n = NUMBER",
          "ANALYZE TABLE t_order",
          "CREATE TABLE IF NOT EXISTS t_order (order_id INT, user_id INT, status INT)",
          "DROP TABLE IF EXISTS t_none",
          "TRUNCATE TABLE t_item");

  /** These are answered by one database alone. */
  private static final List<String> BY_ONE =
      List.of(
          "SELECT f()",
          "CALL p()",
          "SHOW CREATE VIEW v",
          "SHOW CREATE PROCEDURE p",
          "SHOW CREATE FUNCTION f",
          "SHOW ENGINE INNODB STATUS",
          "SHOW BINARY LOGS",
          "SHOW PROFILES",
          "EXPLAIN SELECT * FROM t_order",
          "EXPLAIN UPDATE t_order SET status = 1",
          "ANALYZE SELECT 1",
          "ANALYZE SELECT * FROM t_order",
          "EXECUTE IMMEDIATE 'SELECT 1'",
          "EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM t_order'",
          "HANDLER t_order OPEN",
          "SET STATEMENT max_statement_time=10 FOR SELECT 1",
          "SET STATEMENT max_statement_time=10 FOR SELECT COUNT(*) FROM t_order",
          "BEGIN NOT ATOMIC SELECT 1; END",
          "BEGIN NOT ATOMIC SELECT COUNT(*) FROM t_order; END",
          "VALUES (1), (2)",
          "TABLE t_order",
          "FLUSH TABLES",
          "FLUSH TABLES t_order",
          "SHOW TABLE TYPES",
          "ALTER TABLE t_order COMMENT 'x'",
          "CHECK TABLE t_order",
          "CHECKSUM TABLE t_order",
          "CREATE OR REPLACE VIEW v AS SELECT 1 one",
          "SIGNAL SQLSTATE '01000'");

  private static DatabaseServer server;
  private static ShardedFixture sharded;
  private static RunningProxy passThrough;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, SCHEMA);
    server = servers.primaryB();
    String schema = SCHEMA + "_one";
    server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    passThrough = RunningProxy.start(List.of(), RunningProxy.passThrough(schema, server));
    Eventually.holds(
        "the proxy reaches the database", () -> XaFixture.reaches(passThrough, schema));
    for (Connection each :
        List.of(sharded.onPlain(), sharded.throughProxy(), server.connect(schema))) {
      try (each;
          Statement statement = each.createStatement()) {
        for (String table : List.of("t_order", "t_item")) {
          statement.execute(
              "CREATE TABLE "
                  + table
                  + " (order_id INT, user_id INT, status VARCHAR(9), PRIMARY KEY (order_id, user_id))");
        }
        statement.execute("INSERT INTO t_order VALUES (1, 1, 'a'), (2, 2, 'b')");
      }
    }
    for (Connection each : List.of(sharded.onPlain(), server.connect(schema))) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute("CREATE VIEW v AS SELECT 1 one");
        statement.execute("CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1");
        statement.execute("CREATE PROCEDURE p() SELECT COUNT(*) FROM t_order");
      }
    }
  }

  @AfterAll
  static void stop() {
    passThrough.close();
    sharded.close();
  }

  @Test
  void overShards() {
    compare(ANYWHERE, sharded::throughProxy);
  }

  @Test
  void passedThrough() {
    var all = new ArrayList<>(ANYWHERE);
    all.addAll(BY_ONE);
    compare(all, () -> passThrough.connect(SCHEMA + "_one"));
  }

  /** COM_STMT_CLOSE is no statement. */
  @Test
  void behindClosedStatements() throws SQLException {
    for (String former : FORMER) {
      try (Connection proxied = sharded.throughProxy("useServerPrepStmts=true");
          Connection plain = sharded.onPlain("useServerPrepStmts=true")) {
        assertThat(leftByClosing(proxied, former))
            .as(former)
            .isEqualTo(leftByClosing(plain, former))
            .isNotEmpty();
      }
    }
  }

  private static List<String> leftByClosing(Connection connection, String former)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      PreparedStatement prepared = connection.prepareStatement("SELECT order_id FROM t_order");
      prepared.executeQuery().close();
      execute(statement, former);
      prepared.close();
      return warnings(statement);
    }
  }

  private interface Source {
    Connection connect() throws SQLException;
  }

  private static void compare(List<String> kinds, Source proxied) {
    var softly = new SoftAssertions();
    for (String former : FORMER) {
      for (String kind : kinds) {
        // MySQL warns that its own way to tell is deprecated; the proxy tells its clients itself
        if (kind.endsWith("PROCESSLIST") && !(server instanceof MariaDbServer)) {
          continue;
        }
        softly
            .assertThat(left(proxied, former, kind))
            .as(former + "; " + kind)
            .isEqualTo(left(sharded::onPlain, former, kind));
      }
    }
    softly.assertAll();
  }

  /** Whether it succeeded, and what there is to be seen behind it. */
  private static List<String> left(Source source, String former, String kind) {
    try (Connection connection = source.connect();
        Statement statement = connection.createStatement()) {
      String database = connection.getCatalog();
      execute(statement, former);
      var seen = new ArrayList<String>();
      String named = kind.endsWith(" " + SCHEMA) ? kind.replace(SCHEMA, database) : kind;
      seen.add(execute(statement, named));
      seen.addAll(warnings(statement));
      return seen;
    } catch (SQLException e) {
      throw new IllegalStateException(kind, e);
    }
  }

  private static List<String> warnings(Statement statement) throws SQLException {
    var seen = new ArrayList<String>();
    try (ResultSet counts = statement.executeQuery("SELECT @@warning_count, @@error_count")) {
      counts.next();
      seen.add(counts.getString(1) + " warnings, " + counts.getString(2) + " errors");
    }
    try (ResultSet rows = statement.executeQuery("SHOW WARNINGS")) {
      while (rows.next()) {
        seen.add(rows.getString(1) + " " + rows.getString(2));
      }
    }
    return seen;
  }

  private static String execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return "done";
    } catch (SQLException failed) {
      return "error " + failed.getErrorCode();
    }
  }
}
