package io.anabranch.app.compatibility;

import io.anabranch.testkit.DatabaseServers;
import java.util.List;

/**
 * Families of statements that {@link CompatibilityIT} runs in a pass-through database, in the order
 * of the page.
 */
final class StatementFamilies {

  private static final List<Family> ALL =
      List.of(
          new Family(
              "CREATE, ALTER, RENAME, TRUNCATE, DROP TABLE",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "ALTER TABLE t ADD COLUMN b INT, ADD INDEX (b)",
              "RENAME TABLE t TO u",
              "SHOW CREATE TABLE u",
              "TRUNCATE u",
              "DROP TABLE u",
              "DROP TABLE u"),
          new Family(
              "INSERT, REPLACE, UPDATE, DELETE",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
              "INSERT INTO t (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE a = a + 1",
              "REPLACE INTO t VALUES (2, 22, 'x')",
              "UPDATE t SET a = a + 1 ORDER BY id LIMIT 2",
              "DELETE FROM t WHERE a > 20",
              "SELECT * FROM t ORDER BY id"),
          new Family(
              "INSERT … RETURNING",
              On.MARIADB,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT INTO t (a) VALUES (1), (2) RETURNING id, a"),
          new Family(
              "Queries: joins, CTE, window functions, UNION",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
              "SELECT * FROM t x LEFT JOIN t y ON x.a = y.id ORDER BY x.id",
              "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n",
              "SELECT a, ROW_NUMBER() OVER (ORDER BY a DESC) AS r FROM t ORDER BY a",
              "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 DESC"),
          new Family(
              "VALUES", On.MARIADB, "VALUES (1, 2), (3, 4)", "(VALUES (1), (2)) UNION SELECT 2"),
          new Family(
              "VALUES, TABLE",
              On.MYSQL,
              "VALUES ROW(1, 2), ROW(3, 4) ORDER BY column_0 DESC",
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (a INT PRIMARY KEY)",
              "INSERT INTO t VALUES ROW(2), ROW(1)",
              "TABLE t ORDER BY a LIMIT 1"),
          new Family(
              "LATERAL, JSON_TABLE, INTERSECT, EXCEPT, GROUPING",
              On.MYSQL,
              "SELECT * FROM (SELECT 1 AS a UNION SELECT 2) AS x, LATERAL (SELECT x.a * 2 AS b) AS y ORDER BY a",
              "SELECT * FROM JSON_TABLE('[1, {\"x\": 2}]', '$[*]' COLUMNS (n FOR ORDINALITY, x INT PATH '$.x')) AS j",
              "SELECT 1 INTERSECT SELECT 1 EXCEPT SELECT 2",
              "SELECT a, GROUPING(a), COUNT(*) FROM (SELECT 1 AS a UNION ALL SELECT 1) AS x GROUP BY a WITH ROLLUP",
              "SELECT 17 MEMBER OF ('[23, 17]'), REGEXP_LIKE('abc', 'B', 'i'), BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db'))"),
          new Family(
              "FOR SHARE, SKIP LOCKED, NOWAIT",
              On.MYSQL,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (a INT PRIMARY KEY)",
              "INSERT INTO t VALUES (1), (2)",
              "BEGIN",
              "SELECT * FROM t FOR SHARE OF t SKIP LOCKED",
              "SELECT * FROM t WHERE a = 1 FOR UPDATE NOWAIT",
              "ROLLBACK"),
          new Family(
              "INSERT … AS new ON DUPLICATE KEY UPDATE",
              On.MYSQL,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (a INT PRIMARY KEY, b INT DEFAULT (1 + 1))",
              "INSERT INTO t (a) VALUES (1)",
              "INSERT INTO t (a, b) VALUES (1, 5) AS new ON DUPLICATE KEY UPDATE b = t.b + new.b",
              "SELECT * FROM t"),
          new Family(
              "Generated, invisible and checked columns, functional indexes",
              On.MYSQL,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (a INT PRIMARY KEY, b INT AS (a + 1) STORED, c INT INVISIBLE, INDEX ((a * 2)), CHECK (a < 10))",
              "INSERT INTO t (a) VALUES (1)",
              "SELECT * FROM t",
              "SELECT c FROM t",
              "INSERT INTO t (a) VALUES (11)",
              "SHOW CREATE TABLE t"),
          new Family(
              "Hints: SET_VAR, MAX_EXECUTION_TIME",
              On.MYSQL,
              "SELECT /*+ SET_VAR(sort_buffer_size = 65536) */ @@sort_buffer_size",
              "SELECT /*+ MAX_EXECUTION_TIME(5000) */ 1"),
          new Family(
              "Histograms",
              On.MYSQL,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (a INT)",
              "INSERT INTO t VALUES (1), (2)",
              "ANALYZE TABLE t UPDATE HISTOGRAM ON a WITH 2 BUCKETS",
              "ANALYZE TABLE t DROP HISTOGRAM ON a"),
          new Family(
              "Transactions and savepoints",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "BEGIN",
              "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
              "SAVEPOINT one",
              "DELETE FROM t",
              "ROLLBACK TO one",
              "RELEASE SAVEPOINT one",
              "COMMIT",
              "SELECT COUNT(*) FROM t",
              "START TRANSACTION READ ONLY",
              "DELETE FROM t",
              "ROLLBACK",
              "SET autocommit = 0",
              "DELETE FROM t",
              "ROLLBACK",
              "SET autocommit = 1",
              "SELECT COUNT(*) FROM t"),
          new Family(
              "XA",
              On.BOTH,
              "XA START 'a'",
              "SELECT 1",
              "XA END 'a'",
              "XA PREPARE 'a'",
              "XA RECOVER",
              "XA ROLLBACK 'a'"),
          new Family(
              "LOCK TABLES",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "LOCK TABLES t WRITE",
              "INSERT INTO t (a) VALUES (1)",
              "SELECT * FROM mysql.user LIMIT 0",
              "UNLOCK TABLES"),
          new Family(
              "GET_LOCK",
              On.BOTH,
              "SELECT GET_LOCK('c', 1)",
              "SELECT IS_FREE_LOCK('c')",
              "SELECT RELEASE_LOCK('c')"),
          new Family(
              "Temporary tables",
              On.BOTH,
              "CREATE TEMPORARY TABLE tt (a INT)",
              "INSERT INTO tt VALUES (1)",
              "SELECT * FROM tt",
              "DROP TEMPORARY TABLE tt"),
          new Family(
              "User variables",
              On.BOTH,
              "SET @a = 5, @b := 'x'",
              "SELECT @a + 1, @b",
              "SELECT @a := @a + 1",
              "SELECT @a",
              "SELECT 7 INTO @c",
              "SELECT @c"),
          new Family(
              "State inside of functions and triggers",
              On.BOTH,
              "CREATE TABLE summed (a INT)",
              "CREATE TRIGGER sums BEFORE INSERT ON summed FOR EACH ROW SET @sum = @sum + NEW.a",
              "CREATE FUNCTION counted() RETURNS INT READS SQL DATA RETURN @counted := @counted + 1",
              "SET @sum = 0, @counted = 5",
              "INSERT INTO summed VALUES (1), (2)",
              "SELECT @sum + 0",
              "SET @other = 1",
              "SELECT counted()",
              "SELECT @counted + 0, @sum + 0",
              "DROP FUNCTION counted",
              "DROP TABLE summed"),
          new Family(
              "State inside of blocks",
              On.MARIADB,
              "SET @counted = 5",
              "BEGIN NOT ATOMIC SET @counted = 9; END",
              "SELECT @counted + 0",
              "EXECUTE IMMEDIATE 'SET @counted = 11'",
              "SELECT @counted + 0"),
          new Family(
              "PREPARE, EXECUTE, DEALLOCATE",
              On.BOTH,
              "PREPARE p FROM 'SELECT ? + ?'",
              "SET @x = 1, @y = 2",
              "EXECUTE p USING @x, @y",
              "DEALLOCATE PREPARE p",
              "EXECUTE p"),
          new Family(
              "EXECUTE IMMEDIATE",
              On.MARIADB,
              "EXECUTE IMMEDIATE 'SELECT 1'",
              "EXECUTE IMMEDIATE 'SELECT ?' USING 2"),
          new Family(
              "PREPARE of SET",
              On.BOTH,
              "SET @four = 4",
              "PREPARE p FROM 'SET @p = ?'",
              "EXECUTE p USING @four",
              "SELECT @p"),
          new Family(
              "Stored procedures with results and OUT parameters",
              On.BOTH,
              "DROP PROCEDURE IF EXISTS pr",
              "CREATE PROCEDURE pr(IN a INT, OUT b INT) BEGIN SELECT a; SET b = a + 1; END",
              "CALL pr(4, @out)",
              "SELECT @out",
              "DROP PROCEDURE pr"),
          new Family(
              "Functions, triggers, views",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "DROP FUNCTION IF EXISTS f",
              "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a + LAST_INSERT_ID() * 0",
              "SELECT f(2)",
              "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = NEW.a * 10",
              "INSERT INTO t (a) VALUES (4)",
              "CREATE OR REPLACE VIEW v AS SELECT a FROM t",
              "SELECT * FROM v",
              "DROP VIEW v",
              "DROP FUNCTION f"),
          new Family(
              "Sequences",
              On.MARIADB,
              "CREATE OR REPLACE SEQUENCE sq",
              "SELECT NEXTVAL(sq)",
              "SELECT LASTVAL(sq)",
              "DROP SEQUENCE sq"),
          new Family(
              "LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS()",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
              "SELECT LAST_INSERT_ID()",
              "UPDATE t SET a = 9 WHERE id < 3",
              "SELECT ROW_COUNT()",
              "SELECT SQL_CALC_FOUND_ROWS * FROM t LIMIT 1",
              "SELECT FOUND_ROWS()",
              "INSERT INTO t (id) VALUES (50)",
              "SELECT LAST_INSERT_ID()"),
          new Family(
              "SHOW WARNINGS, SHOW ERRORS",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT IGNORE INTO t (a) VALUES ('x')",
              "SHOW WARNINGS",
              "SELEC",
              "SHOW ERRORS",
              "SHOW COUNT(*) WARNINGS",
              "SELECT 1/0",
              "SHOW WARNINGS LIMIT 1"),
          new Family(
              "SHOW TABLES, COLUMNS, INDEX, CREATE, TABLE STATUS",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "SHOW TABLES LIKE 't'",
              "SHOW FULL COLUMNS FROM t",
              "SHOW INDEX FROM t",
              "SHOW CREATE TABLE t"),
          new Family(
              "EXPLAIN, DESCRIBE, ANALYZE",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "EXPLAIN SELECT * FROM t WHERE id = 1",
              "DESCRIBE t",
              "ANALYZE TABLE t",
              "CHECK TABLE t",
              "CHECKSUM TABLE t"),
          new Family(
              "EXPLAIN FORMAT=TREE and FORMAT=JSON",
              On.MYSQL,
              "EXPLAIN FORMAT=TREE SELECT 1",
              "EXPLAIN FORMAT=JSON SELECT 1 FROM DUAL WHERE FALSE"),
          new Family(
              "HANDLER",
              On.BOTH,
              "DROP TABLE IF EXISTS t",
              "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
              "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
              "HANDLER t OPEN",
              "HANDLER t READ FIRST",
              "HANDLER t CLOSE"),
          new Family(
              "SET STATEMENT … FOR",
              On.MARIADB,
              "SET STATEMENT sql_mode = '' FOR SELECT @@sql_mode"),
          new Family(
              "Compound statements outside of programs",
              On.MARIADB,
              "BEGIN NOT ATOMIC DECLARE x INT DEFAULT 4; SELECT x; END",
              "FOR i IN 1..2 DO SELECT i; END FOR"),
          new Family(
              "SET NAMES, character set introducers",
              On.BOTH,
              "SET NAMES latin1",
              "SELECT _utf8mb4 x'C3A9', 'a' COLLATE latin1_bin",
              "SET CHARACTER SET utf8mb4",
              "SELECT @@character_set_client"),
          new Family(
              "SET NAMES gbk, sjis, euckr",
              On.BOTH,
              "SET NAMES gbk",
              "SELECT HEX('a')",
              "SET NAMES sjis",
              "SET NAMES euckr"),
          new Family(
              "Comments alone, executable comments",
              On.BOTH,
              "/* nothing */",
              "-- nothing",
              "SELECT 1 /*! + 1 */ /*!99999 + 1 */ # end",
              ""),
          new Family(
              "KILL of an unknown session, FLUSH, DO",
              On.BOTH,
              "KILL 999999999",
              "FLUSH TABLES",
              "DO 1"),
          new Family(
              "DATABASE(), USER(), CURRENT_USER(), VERSION()",
              On.BOTH,
              "SELECT DATABASE()",
              "SELECT VERSION()"),
          new Family(
              "Statements that end in errors",
              On.BOTH,
              "SELECT * FROM nowhere",
              "SELECT nothing",
              "SELECT 'a",
              "INSERT INTO nowhere VALUES (1)",
              "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'own', MYSQL_ERRNO = 5001"));

  private StatementFamilies() {}

  /** Which server has such statements. */
  private enum On {
    BOTH,
    MARIADB,
    MYSQL
  }

  /**
   * Statements that run one after the other in a session of their own.
   *
   * @param name as the page says it
   */
  record Family(String name, On on, List<String> statements) {

    private Family(String name, On on, String... statements) {
      this(name, on, List.of(statements));
    }
  }

  /** Those that the servers of this run have. */
  static List<Family> ofTheServer() {
    On other = DatabaseServers.areMySql() ? On.MARIADB : On.MYSQL;
    return ALL.stream().filter(family -> family.on() != other).toList();
  }
}
