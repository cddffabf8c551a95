package io.anabranch.app.session;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What statements warn of and leave behind is told as one plain database tells it. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class DiagnosticsIT {

  private static final String SCHEMA = "it_diagnostics";

  private static DatabaseServer plain;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    }
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, behind));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static void same(String... statements) throws SQLException {
    try (Connection proxied = proxy.connect(SCHEMA);
        Connection direct =
            Driver.MARIADB.connect(
                plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      new Comparison(proxied, direct).same(statements);
    }
  }

  @Test
  void warningsAndErrors() throws SQLException {
    same(
        "SHOW WARNINGS",
        "SHOW COUNT(*) WARNINGS",
        "SHOW COUNT(*) ERRORS",
        "CREATE TABLE w (id INT PRIMARY KEY, a TINYINT, b VARCHAR(3))",
        "SELECT 1/0 FROM DUAL WHERE 1",
        "SHOW WARNINGS",
        "SELECT nonsense FROM nowhere",
        "SHOW WARNINGS",
        "SELECT 1",
        "SHOW ERRORS",
        "INSERT INTO w VALUES (1, 1, 'a')",
        "SHOW WARNINGS",
        "SET sql_mode = ''",
        "INSERT INTO w VALUES (2, 1000, 'abcd'), (3, 'x', 'y'), (1, 1, 'z')",
        "SHOW WARNINGS",
        "SHOW WARNINGS LIMIT 1, 2",
        "SHOW WARNINGS LIMIT 1, 18446744073709551615",
        "SHOW WARNINGS LIMIT 1 OFFSET 1",
        "SHOW COUNT(*) WARNINGS",
        "SHOW COUNT(*) ERRORS",
        "SHOW ERRORS",
        "SELECT @@warning_count, @@error_count",
        "BEGIN",
        "SHOW WARNINGS",
        "COMMIT",
        "SET @x = CAST('a1' AS INT)",
        "SHOW WARNINGS",
        "SET @y = 1",
        "SHOW WARNINGS",
        "DROP TABLE IF EXISTS nix",
        "SHOW WARNINGS",
        "SET max_sort_length = 1",
        "SHOW WARNINGS",
        "DROP TABLE w");
  }

  @Test
  void rollbackOfTablesWithoutTransactions() throws SQLException {
    same(
        "CREATE TABLE m (a INT) ENGINE=MyISAM",
        "BEGIN",
        "INSERT INTO m VALUES (1)",
        "ROLLBACK",
        "SHOW WARNINGS",
        "SHOW COUNT(*) WARNINGS",
        "DROP TABLE m");
  }

  @Test
  void getDiagnostics() throws SQLException {
    same(
        "CREATE TABLE g (id INT PRIMARY KEY)",
        "INSERT INTO g VALUES (1), (2)",
        "GET DIAGNOSTICS @n = NUMBER, @r = ROW_COUNT",
        "SELECT @n + 0, @r",
        "INSERT INTO g VALUES (1)",
        "GET DIAGNOSTICS CONDITION 1 @s = RETURNED_SQLSTATE, @e = MYSQL_ERRNO, @t = MESSAGE_TEXT, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN, @k = CONSTRAINT_NAME",
        "SELECT @s, @e + 0, @t, @c, @d, @k",
        "SELECT * FROM nowhere",
        "GET DIAGNOSTICS CONDITION 1 @s = RETURNED_SQLSTATE, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN",
        "SELECT @s, @c, @d",
        "XA COMMIT 'none'",
        "GET DIAGNOSTICS CONDITION 1 @s = RETURNED_SQLSTATE, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN",
        "SELECT @s, @c, @d",
        "INSERT INTO g VALUES (1)",
        "GET CURRENT DIAGNOSTICS @n = NUMBER, @r = ROW_COUNT",
        "SELECT @n + 0, @r",
        "SHOW WARNINGS",
        "GET DIAGNOSTICS CONDITION 7 @s = MESSAGE_TEXT",
        "SHOW WARNINGS",
        "SET @i = 1",
        "GET DIAGNOSTICS CONDITION @i @s = MESSAGE_TEXT",
        "SELECT @s",
        "GET DIAGNOSTICS nonsense",
        "DROP TABLE g");
  }

  @Test
  void numbersOfWhatFailsOrIsNoQuery() throws SQLException {
    String numbers = "SELECT FOUND_ROWS(), ROW_COUNT(), LAST_INSERT_ID()";
    String three = "SELECT 1 UNION SELECT 2 UNION SELECT 3";
    same(
        "CREATE TABLE n1 (id INT PRIMARY KEY AUTO_INCREMENT, a INT UNIQUE)",
        "CREATE TABLE n2 LIKE n1",
        "INSERT INTO n1 (a) VALUES (1), (2), (3), (4), (5)",
        three,
        "INSERT INTO n2 (a) SELECT a FROM n1",
        numbers,
        "INSERT INTO n1 (a) VALUES (10), (1), (11)",
        numbers,
        "INSERT INTO n1 (a) VALUES (1)",
        numbers,
        "INSERT INTO n1 (id, a) VALUES (50, 50), (NULL, 51), (NULL, 1)",
        numbers,
        "REPLACE INTO n2 (a) SELECT a + 1 FROM n1 LIMIT 2",
        numbers,
        three,
        "SELECT a FROM n1 WHERE id = 1 INTO @a",
        numbers,
        "SELECT 1 INTO @a",
        numbers,
        three,
        "EXPLAIN SELECT * FROM n1",
        numbers,
        "SHOW CREATE TABLE n1",
        numbers,
        "CHECK TABLE n1",
        numbers,
        "INSERT INTO n1 (a) VALUES (100), (101) RETURNING id",
        numbers,
        "DELETE FROM n1 WHERE a = 100 RETURNING a",
        numbers,
        "CREATE TABLE n3 AS SELECT * FROM n1",
        numbers,
        "BEGIN NOT ATOMIC INSERT INTO n1 (a) VALUES (200); END",
        numbers,
        "DROP TABLE n1, n2, n3");
  }

  @Test
  void counts() throws SQLException {
    same(
        "CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, a INT)",
        "INSERT INTO c (a) VALUES (1), (2), (3), (3), (5), (6), (7)",
        "SELECT LAST_INSERT_ID(), ROW_COUNT()",
        "SELECT @@last_insert_id, @@identity",
        "SELECT id FROM c ORDER BY id LIMIT 2",
        "SELECT FOUND_ROWS()",
        "SELECT id FROM c ORDER BY id LIMIT 2, 3",
        "SELECT FOUND_ROWS()",
        "SELECT id FROM c ORDER BY id LIMIT 3 OFFSET 2",
        "SELECT FOUND_ROWS(), ROW_COUNT()",
        "SELECT id FROM c ORDER BY id LIMIT 20, 3",
        "SELECT FOUND_ROWS()",
        "SELECT FOUND_ROWS()",
        "SELECT a, COUNT(*) FROM c GROUP BY a ORDER BY a LIMIT 2, 2",
        "SELECT FOUND_ROWS()",
        "SELECT SQL_CALC_FOUND_ROWS id FROM c LIMIT 1",
        "SELECT FOUND_ROWS()",
        "UPDATE c SET a = 9 WHERE id < 4",
        "SELECT ROW_COUNT()",
        "SELECT id FROM c WHERE a = 9 LIMIT 1",
        "SELECT ROW_COUNT(), FOUND_ROWS() AS f",
        "SELECT @@autocommit, @@session.autocommit AS a, @@in_transaction",
        "BEGIN",
        "SELECT @@in_transaction",
        "SET autocommit = 0",
        "SELECT @@autocommit",
        "SELECT LAST_INSERT_ID() LIMIT 1",
        "DROP TABLE c");
  }

  @Test
  void keysOfInsertsThatReturnRows() throws SQLException {
    same(
        "CREATE TABLE r (id INT PRIMARY KEY AUTO_INCREMENT, a INT)",
        "INSERT INTO r (a) VALUES (1)",
        "INSERT INTO r (a) VALUES (2), (3) RETURNING id",
        "SELECT LAST_INSERT_ID()",
        "INSERT INTO r VALUES (100, 4) RETURNING a",
        "SELECT LAST_INSERT_ID()",
        "REPLACE INTO r (a) VALUES (5) RETURNING id, a",
        "SELECT LAST_INSERT_ID(), @@last_insert_id",
        "DROP TABLE r");
  }

  @Test
  void literalsWithoutAnEnd() throws SQLException {
    same(
        "SHOW VARIABLES LIKE '",
        "SHOW SESSION STATUS LIKE \"",
        "SHOW DATABASES LIKE '",
        "SHOW VARIABLES WHERE Variable_name = '");
  }

  @Test
  void noServerTakesStatementsInUcs2() throws SQLException {
    same(
        "SET NAMES ucs2",
        "SET NAMES utf16le",
        "SET NAMES gb18030",
        "SELECT @@character_set_client",
        "SET CHARACTER SET utf32",
        "SELECT 'a'");
  }
}
